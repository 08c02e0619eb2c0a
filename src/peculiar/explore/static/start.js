// Begins as soon as Bokeh has drawn: in a file at once, on a live page when the server has answered.
"use strict";
(function () {
  function begin(drawn) {
    const content = peculiar.readContent(), model = (name) => drawn.get_model_by_name(name);
    Object.assign(peculiar, {content, model});
    [peculiar.state.x, peculiar.state.y] = content.axes.first;
    for (const panel of peculiar.panels) panel(content, model);
    peculiar.set({selected: content.objects.key.length ? 0 : -1});
    document.documentElement.dataset.ready = "true";
  }

  function wait() {
    const drawn = window.Bokeh && Bokeh.documents.find((one) => one.get_model_by_name("objects"));
    if (drawn) begin(drawn);
    else setTimeout(wait, 20);
  }
  wait();
})();
