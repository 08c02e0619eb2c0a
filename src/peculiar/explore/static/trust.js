// Where the line is drawn: counts by Benjamini and Hochberg, and the certificate that holds for every line at once.
"use strict";

// How many discoveries there are at a rate, and the largest of their p-values. `log_p` is sorted; those of 0.2 and more
// are left out, for no discovery at a rate up to 0.2 can have such a one.
peculiar.discoveries = function (trust, rate) {
  for (let k = trust.log_p.length; k > 0; k--) {
    if (Math.exp(trust.log_p[k - 1]) <= (k * rate) / (trust.n * trust.share)) {
      while (k < trust.log_p.length && trust.log_p[k] === trust.log_p[k - 1]) k++;
      return {count: k, log_threshold: trust.log_p[k - 1]};
    }
  }
  return {count: 0, log_threshold: -Infinity};
};

// Upper bound on the share of ordinary objects among the discoveries (peculiar.population.certificate).
peculiar.certificate = function (trust, {count, log_threshold}) {
  if (count === 0) return 1;
  return Math.min(1, (trust.multiplier * (1 + trust.n * Math.exp(log_threshold))) / count);
};

peculiar.panels.push(function (content, model) {
  const {trust, objects} = content, byId = (id) => document.getElementById(id);
  const slider = byId("rate"), count = (number) => number.toLocaleString("en");
  const log_p = Array.from(objects.p, (p) => Math.log(Math.max(p, 1e-308)));
  let line = peculiar.discoveries(trust, trust.fdr);

  // A p-value of the list may differ from the stored one in its last digit.
  peculiar.isDiscovery = (at) => log_p[at] <= line.log_threshold + 1e-12;

  function show({rate}) {
    line = peculiar.discoveries(trust, rate);
    const bound = peculiar.certificate(trust, line), threshold = Math.exp(line.log_threshold);
    byId("rate-text").textContent = `${Number((100 * rate).toPrecision(3))} %`;
    byId("rate-count").textContent = count(line.count);
    byId("rate-certificate").textContent = line.count ? `${(100 * bound).toFixed(bound < 0.1 ? 1 : 0)} %` : "–";
    byId("rate-line").textContent = line.count ? `of ${count(trust.n)} objects: p up to ${peculiar.probability(threshold)}` : `of ${count(trust.n)} objects`;
    model("line").location = line.count ? threshold : 0;
    byId("headline").textContent = line.count
      ? `${count(line.count)} of ${count(trust.n)} objects ${line.count === 1 ? "is a discovery" : "are discoveries"} at a false-discovery rate of ${byId("rate-text").textContent}`
      : `None of ${count(trust.n)} objects is a discovery at a false-discovery rate of ${byId("rate-text").textContent}`;
    const source = model("objects"), n = objects.key.length;
    // Beyond the line only what is nearly strange is drawn: the rest would hide the image of all objects.
    const large = line.count < 100 ? 10 : line.count < 1000 ? 8 : 6, small = 0.5 * large;
    const size = Float64Array.from({length: n}, (_, i) => (peculiar.isDiscovery(i) ? large : objects.p[i] < 0.01 ? small : 0));
    const alpha = Float64Array.from({length: n}, (_, i) => (peculiar.isDiscovery(i) ? 0.9 : 0.6));
    source.data = {...source.data, size, alpha};
    peculiar.set({line: line.count});
  }
  slider.value = String(Math.min(trust.fdr, 0.2));
  slider.addEventListener("input", () => peculiar.set({rate: Number(slider.value)}));
  peculiar.on("rate", show);
  peculiar.state.rate = Math.min(trust.fdr, 0.2);
  show(peculiar.state);
});
