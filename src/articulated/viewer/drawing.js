// What a narrow page and a browser without a graphics card are spared.
//
// A narrow page begins with its left panel folded away, that of a phone with all of them.  A browser without a graphics
// card computes every pixel itself: there the page asks for no antialiasing, no shadows and, while something moves and is
// too slow, for fewer pixels; a picture at rest has all of them, and more.  ?drawing=full or ?drawing=light in the address decides otherwise.
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

  // -- what comes from a server goes through a worker, by `spared` ---------------------------------

  const panels = new Set(); // beside the main one

  function spared(message) {
    if (message.type === "GuiPanelMessage") panels.add(message.uuid);
    if (message.type === "GuiSetPanelCollapsedMessage" && panels.has(message.uuid) && window.innerWidth < NARROW)
      message.collapsed = true;
    return !light || lighter(message);
  }

  const usual = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
  Object.defineProperty(Worker.prototype, "onmessage", {
    ...usual,
    set(handler) {
      usual.set.call(this, (event) => {
        if (Array.isArray(event.data?.messages)) event.data.messages = event.data.messages.filter(spared);
        handler.call(this, event);
      });
    },
  });

  if (!light) return;

  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    if (!String(kind).startsWith("webgl")) return canvasContext.call(this, kind, options);
    const gl = canvasContext.call(this, kind, { ...options, antialias: false });
    // viser asks without options for the name of the card, to complain that there is none: it is known already
    if (gl && !options) gl.getExtension = () => null;
    return gl;
  };

  // -- what the server sends, without what is dear -----------------------------------------------

  function lighter(message) {
    if (message.type === "DirectionalLightMessage") message.props.cast_shadow = false;
    if (message.type === "MeshMessage") message.props.material = "toon5"; // see `smooth`
    return true;
  }

  // viser has matt surfaces in five steps of brightness; with a ramp for the steps they are matt and smooth
  function smooth(scene) {
    let steps = null;
    scene.traverse((object) => { steps ??= object.material?.gradientMap; });
    if (!steps || steps.image.width > 5) return;
    const data = Uint8Array.from({ length: 512 }, (_, k) => Math.max(0, k - 255.5) * (255 / 255.5));
    steps.image = { data, width: data.length, height: 1 };
    steps.magFilter = steps.minFilter = 1006; // linear
    steps.dispose(); // its place on the card has another size
    steps.needsUpdate = true;
  }

  // -- no more pictures than there are states: whoever computes the next state needs the processor, too

  const APART = 28, queued = new Map(); // ms; by the number a caller knows, the number the browser knows
  const next = window.requestAnimationFrame.bind(window), never = window.cancelAnimationFrame.bind(window);
  let number = 0, now_drawn = -Infinity;
  window.requestAnimationFrame = (callback) => {
    const id = ++number;
    const due = (t) => {
      if (t === now_drawn || t - now_drawn >= APART) {
        now_drawn = t;
        queued.delete(id);
        callback(t);
      } else queued.set(id, next(due));
    };
    queued.set(id, next(due));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    never(queued.get(id) ?? -1);
    queued.delete(id);
  };

  // -- as many pixels as there is time for ---------------------------------------------------------

  const RATIOS = [1, 0.75, 0.5], AT_REST = 1.5; // pixels drawn for one that is seen, along each side
  const ENOUGH = 25, PLENTY = 29; // pictures a second
  const LOOK = 500, REST = 400, AGAIN = 10000; // ms
  let level = 0, resting = true, asked_at = 0, drawn = 0, looked = 0, raise_at = 0;

  function ratio(value) {
    const settings = window.__viserTestpoints?.devSettings;
    if (settings) settings.set({ fixedDpr: value * window.devicePixelRatio });
  }

  function moved() {
    asked_at = performance.now();
    if (resting) {
      resting = false;
      looked = 0;
      ratio(RATIOS[level]);
    }
  }

  function look() {
    const now = performance.now(), count = window.__viserTestpoints?.rendererInfo.render.frame ?? 0;
    const rate = looked ? (1000 * (count - drawn)) / (now - looked) : ENOUGH;
    drawn = count;
    looked = now;
    if (found?.scene) smooth(found.scene);
    if (now - asked_at > REST) {
      if (!resting) ratio(AT_REST);
      resting = true;
    } else if (rate < ENOUGH && level < RATIOS.length - 1) {
      level += 1;
      raise_at = now + AGAIN;
      ratio(RATIOS[level]);
    } else if (rate > PLENTY && level > 0 && now > raise_at) {
      level -= 1;
      ratio(RATIOS[level]);
    }
  }

  // -- where viser is watched: what is played from a file comes through its queue ------------------

  function watch(mutable) {
    const queue = mutable.messageQueue, push = queue.push, request = mutable.requestRender;
    queue.push = (...messages) => push.apply(queue, messages.filter(lighter));
    queue.push(...queue.splice(0));
    mutable.requestRender = () => { moved(); request(); };
    return mutable;
  }

  let found;
  Object.defineProperty(window, "__viserMutable", {
    configurable: true,
    get: () => found,
    set: (mutable) => { found = watch(mutable); },
  });
  setInterval(look, LOOK);
})();
