// SPDX-License-Identifier: MIT
// The first script of a measured page: records times in ms since the start of the navigation, and
// when the engine has finished each request of the package.
(() => {
  const marks = {};
  const mark = (name) => {
    marks[name] = performance.now();
  };
  const markEnd = (name, markName) => {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const result = await original.apply(WebAssembly, args);
      mark(markName);
      return result;
    };
  };
  markEnd('compile', 'compiled');
  markEnd('compileStreaming', 'compiled');
  markEnd('instantiate', 'instantiated');
  globalThis.cold = { marks, mark };
})();
