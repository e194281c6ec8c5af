// SPDX-License-Identifier: MIT
// Stands at the top of a measured page: times since the navigation began, in ms, and when the engine has
// done what the package asks of it.
(() => {
  const marks = {};
  const mark = (name) => {
    marks[name] = performance.now();
  };
  const markEnd = (name, ended) => {
    const plain = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await plain.apply(WebAssembly, args);
      mark(ended);
      return result;
    };
  };
  markEnd('compile', 'compiled');
  markEnd('compileStreaming', 'compiled');
  markEnd('instantiate', 'instantiated');
  globalThis.cold = { marks, mark };
})();
