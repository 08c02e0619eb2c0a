// Questions to the server of this page, and no other.
"use strict";
peculiar.ask = async function (name, asked = {}) {
  const answer = await fetch(`/ask/${name}`, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(asked), cache: "no-store",
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error || `the server said ${answer.status}`);
  return peculiar.unpackAll(found);
};
