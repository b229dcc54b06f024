// Ahead of the page's own scripts when it shows a large world: presses, and what the page's frames and tasks come to.
globalThis.large = (() => {
  const wait = (ms) => new Promise((ok) => setTimeout(ok, ms));
  const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const at = () => controllerscopePage.at();

  /** Waits until a condition holds; when it never does, the error is what the page says. */
  async function until(condition) {
    for (const began = performance.now(); !condition(); await wait(20)) {
      if (performance.now() - began > 60000) throw new Error(`${condition}: ${document.body.innerText.slice(0, 500)}`);
    }
  }

  /** After the next frame is on its way to the screen: a task of its own, behind drawing, style, layout and paint. */
  function painted() {
    return new Promise((ok) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => ok(performance.now());
      port2.postMessage(0);
    }));
  }

  /** Plays for so long, as fast as the page plays, and says how far it came, how its frames came and which tasks were long. */
  async function play(ms) {
    const tasks = [];
    const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
    const from = at();
    const times = [];
    let on = true;
    const frame = (t) => { times.push(t); if (on) requestAnimationFrame(frame); };
    for (const key of ['.', '.', ' ']) press(key);
    watch.observe({ type: 'longtask' });
    requestAnimationFrame(frame);
    await wait(ms);
    on = false;
    press(' ');
    tasks.push(...watch.takeRecords().map((e) => e.duration));
    watch.disconnect();
    return { tasks, steps: at() - from, frames: times.slice(1).map((t, i) => t - times[i]) };
  }

  /** How long each input of a slider took until its step was drawn; those that another one overtook are only counted. */
  const scrubbed = { ms: [], steps: new Set(), overtaken: 0 };
  function scrub(slider) {
    const shown = () => document.querySelector('.transport .count b').textContent;
    slider.addEventListener('input', async (e) => {
      const want = slider.value;
      let done = await painted();
      while (shown() !== want && slider.value === want) done = await painted();
      if (shown() !== want) { scrubbed.overtaken++; return; }
      scrubbed.ms.push(done - e.timeStamp);
      scrubbed.steps.add(want);
    }, { capture: true });
  }

  /** Where a slider is, for the pointer; what it took before is forgotten. */
  function slider(selector) {
    const el = document.querySelector(selector);
    Object.assign(scrubbed, { ms: [], steps: new Set(), overtaken: 0 });
    if (!el.dataset.watched) scrub(el);
    el.dataset.watched = 'true';
    const r = el.getBoundingClientRect();
    return { X: r.x, Y: r.y + r.height / 2, W: r.width };
  }

  /** Goes to a step as keys do, and rests there. */
  async function start(step) {
    press('Home');
    while (at() < step) press('ArrowRight');
    await wait(3000);
    return at();
  }

  /** Many steps forth and back again, each drawn. */
  async function walk(steps) {
    for (const key of ['ArrowRight', 'ArrowLeft']) {
      for (let i = 0; i < steps; i++) {
        press(key);
        await painted();
      }
    }
    return at();
  }

  /** Draws frames as soon as they are asked for from now on, instead of sixty times a second. */
  function atOnce() {
    const { port1, port2 } = new MessageChannel();
    const waiting = new Map();
    let n = 0;
    port1.onmessage = (e) => { const f = waiting.get(e.data); waiting.delete(e.data); f?.(performance.now()); };
    globalThis.requestAnimationFrame = (f) => { waiting.set(++n, f); port2.postMessage(n); return n; };
    globalThis.cancelAnimationFrame = (k) => { waiting.delete(k); };
  }

  /** How long workers take from now on for each act, from the question to its answer. */
  const answers = [];
  function timeWorkers() {
    const asked = new Map();
    globalThis.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', (e) => { if (asked.has(e.data.id)) answers.push(performance.now() - asked.get(e.data.id)); });
      }
      postMessage(m) {
        if (m.op === 'act') asked.set(m.id, performance.now());
        super.postMessage(m);
      }
    };
  }

  /** Does a line as the command bar does, and says how long until what follows is drawn. */
  async function act(line) {
    const bar = document.querySelector('.command input');
    bar.value = line;
    bar.dispatchEvent(new Event('input'));
    await until(() => controllerscopePage.ready());
    await wait(300);
    const ops = controllerscopePage.ops();
    const began = performance.now();
    bar.form.requestSubmit();
    while (controllerscopePage.ops() === ops) await painted();
    const took = await painted() - began;
    await until(() => controllerscopePage.ready());
    return took;
  }

  /** Does a line so many times, after a first one; what follows by itself is let wait. */
  async function acts(n) {
    document.querySelector('.next .seg button').click();
    const times = [];
    for (let i = 0; i <= n; i++) times.push(await act('zk delete /nothing'));
    return { Acts: times.slice(1), Answers: answers.slice(1) };
  }

  return { wait, press, at, until, painted, play, slider, scrubbed, start, walk, atOnce, timeWorkers, acts };
})();
