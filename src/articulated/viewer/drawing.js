// What a narrow page and a browser without a graphics card are spared.
//
// A narrow page begins with its left panel folded away, that of a phone with all of them.  A browser without a graphics
// card computes every pixel itself: there the page asks for no antialiasing and no shadows.  ?drawing=full or
// ?drawing=light in the address decides otherwise.
(() => {
  const NARROW = 960, PHONE = 576; // pixels

  // the panel of a phone is folded by a click on its head
  if (window.innerWidth < PHONE) {
    const folding = setInterval(() => {
      const head = [...document.querySelectorAll("div")].find(({ style }) => style.cursor === "pointer" && style.height === "3.5em");
      if (head) { clearInterval(folding); head.click(); }
    }, 100);
  }

  // viser's keys fly the camera; ours have other meanings.  Who listens to the document first may end the matter there.
  const FLY = new Set(["KeyW", "KeyA", "KeyS", "KeyD", "KeyQ", "KeyE", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
  document.addEventListener("keydown", (event) => { if (FLY.has(event.code)) event.stopImmediatePropagation(); });

  const canvasContext = HTMLCanvasElement.prototype.getContext;
  const asked = new URLSearchParams(location.search).get("drawing");

  function software() {
    const gl = canvasContext.call(document.createElement("canvas"), "webgl2");
    if (!gl) return false;
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  }

  const light = asked === "light" || (asked !== "full" && software());

  // every message, from the server or from a file, waits in viser's queue
  const panels = new Set(); // beside the main one

  function spared(message) {
    if (light && message.type === "DirectionalLightMessage") message.props.cast_shadow = false;
    if (message.type === "GuiPanelMessage") panels.add(message.uuid);
    if (message.type === "GuiSetPanelCollapsedMessage" && panels.has(message.uuid) && window.innerWidth < NARROW)
      message.collapsed = true;
    return message;
  }

  let found;
  Object.defineProperty(window, "__viserMutable", {
    configurable: true,
    get: () => found,
    set: (mutable) => {
      const queue = mutable.messageQueue, push = queue.push;
      queue.push = (...messages) => push.apply(queue, messages.map(spared));
      queue.push(...queue.splice(0));
      found = mutable;
    },
  });

  if (light)
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
      if (!String(kind).startsWith("webgl")) return canvasContext.call(this, kind, options);
      const gl = canvasContext.call(this, kind, { ...options, antialias: false });
      // viser asks without options for the name of the card, to complain that there is none: it is known already
      if (gl && !options) gl.getExtension = () => null;
      return gl;
    };
})();
