// The one cursor: which recording, which step, what is open. Views are functions of it; only this file changes it.
import { batch, computed, signal } from '@preact/signals-core';
import type { Doc } from './doc.ts';
import type { Step } from './gen/trace.ts';
import { type Act, type Lesson, type Stop, forkStops, lessonStops, ownStops, stopOf } from './lesson.ts';
import type { Recording } from './record.ts';

export type Level = 'act' | 'stop' | 'micro';
export type Tab = 'ledger' | 'requests' | 'brokers' | 'states' | 'time';
export type Pane = 'why' | 'diff' | 'mismatch' | 'node' | 'request' | 'code' | 'metrics' | 'invariants' | 'whatif';

/** What followed when someone left run `run` after step base; own when it is no future of the lesson but a world of its own: its question, where it is asked and where it is told, and where in the lesson one was. */
export interface Fork { rec: Recording; run: number; base: number; lines: string[]; own?: { ask?: Stop; told?: Stop; back: number } }

export const lesson = signal<Lesson | undefined>(undefined);
/** The lesson's recordings; those after the first arrive later. */
export const recordings = signal<Recording[]>([]);
export const fork = signal<Fork | undefined>(undefined);
export const run = signal(0);
export const at = signal(-1);
export const level = signal<Level>('stop');
export const playing = signal(false);
export const speed = signal(1);
export const compare = signal(false);
export const pane = signal<Pane>('why');
export const tab = signal<Tab>('ledger');
export const selected = signal<readonly string[] | undefined>(undefined);
export const chartsPinned = signal<boolean | undefined>(undefined);
export const unfolded = signal(false);
export const sheet = signal<'none' | 'menu' | 'inspector' | 'help'>('none');
export const notice = signal('');
/** The space–time diagram in place of everything else. */
export const spacetime = signal(false);
/** For a hall: one large stage; a dark screen; words and answers kept back until someone has said theirs. */
export const projector = signal(false);
export const blank = signal(false);
export const veiled = signal(false);
/** Whose thread and beliefs are shown, when the reader chose another than the lead. */
export const chosen = signal<string | undefined>(undefined);

/** How the cursor came where it is: one move of the reader; undefined after a jump and while scrubbing. */
export interface Travel { rec: Recording; from: number; to: number; by: 1 | -1 }
export const travel = signal<Travel | undefined>(undefined);
/** Until when (performance.now()) motion is under way: play waits for it. */
export const rest = { until: 0 };

/** Answers by stop id: the choice, or '' for a question that was skipped. */
export const answers = signal<Record<string, string>>({});

/** The stops at which the reader was sure of the answer. */
export const sure = signal<readonly string[]>([]);
/** Steps that a line of code ran, while it is pointed at; and the step pointed at on the score or in the list, -1 for none. */
export const lit = signal<ReadonlySet<number>>(new Set());
export const pointed = signal(-1);
/** The znode chosen for a question that asks for one. */
export const spot = signal('');

export const rec = computed(() => fork.value?.rec ?? recordings.value[run.value]);

const overlay = computed<{ acts: Act[]; stops: Stop[] }>(() => {
  const f = fork.value;
  const own = f?.own;
  if (own) return ownStops(f.rec, f.run, answers.value[own.ask?.id ?? ''] === undefined ? own.ask : own.told, lesson.value);
  if (f) return forkStops(f.rec, f.run, f.base, lesson.value);
  if (lesson.value) return lessonStops(lesson.value);
  return rec.value ? forkStops(rec.value, 0, -1, undefined) : { acts: [], stops: [] };
});
export const acts = computed(() => overlay.value.acts);
export const stops = computed(() => overlay.value.stops);

function reached(s: Stop): boolean { return s.run < run.value || (s.run === run.value && s.at <= at.value); }

/** Whether the reader has come to a question: the cursor waits just before its stop until it is answered. */
const asking = signal(false);

/** Index of the stop that is asked about, else of the last one at or before the cursor, -1 before the first. */
export const stopIndex = computed(() => {
  if (asking.value) return openAsk.value;
  let found = -1;
  stops.value.forEach((s, i) => { if (reached(s)) found = i; });
  return found;
});

/** The first place of the run that can be reached: in a lesson what is before is its set-up; -1 is before the first step. */
export const origin = computed(() => (lesson.value ? lesson.value.runs[run.value]?.from ?? 0 : -1));

/** Index of the first stop whose question is still open: what lies behind it must not be told. -1 for none. */
export const openAsk = computed(() => stops.value.findIndex((s) => s.ask && answers.value[s.id] === undefined));

/** The stop whose question is asked now. */
export const asked = computed(() => (asking.value ? stops.value[openAsk.value] : undefined));

/** What is shown: the cursor's step, the document there, and the stop it belongs to. */
export interface Scene { rec: Recording; doc: Doc; at: number; step: Step | undefined; stop: Stop | undefined; hidden: boolean }

export const scene = computed<Scene | undefined>(() => {
  const r = rec.value;
  if (!r) return undefined;
  const i = at.value;
  const stop = stops.value[stopIndex.value];
  const step = r.step(i);
  const exact = asked.value !== undefined || (stop !== undefined && stop.at === i && stop.run === run.value);
  const shown = exact || !step ? stop : { ...stopOf(step, run.value), n: stop?.n ?? 0, act: stop?.act ?? 0 };
  return { rec: r, doc: r.seek(i), at: i, step, stop: shown, hidden: asked.value !== undefined };
});

/** Moves to step i of the run; an open question on the way stops it just before what is asked about. */
export function goto(i: number): void {
  const open = stops.value[openAsk.value];
  const barred = open !== undefined && open.run === run.value && i >= open.at;
  batch(() => {
    travel.value = undefined;
    asking.value = barred;
    at.value = Math.max(barred ? -1 : origin.value, Math.min(barred ? open.at - 1 : i, (rec.value?.length ?? 1) - 1));
  });
}

export function gotoStop(index: number): void {
  const list = stops.value;
  const open = openAsk.value;
  const s = list[Math.max(0, Math.min(index, open >= 0 ? open : list.length - 1))];
  if (!s) return;
  batch(() => {
    if (!fork.value && recordings.value[s.run]) run.value = s.run;
    goto(s.at);
  });
}

export function move(by: 1 | -1, lvl: Level = level.value): void {
  traveling(by, () => moveBy(by, lvl));
}

/** Does what moves the cursor, and tells that it was one move. */
function traveling(by: 1 | -1, go: () => void): void {
  const [from, r] = [at.value, rec.value];
  batch(() => {
    go();
    const to = at.value;
    if (r && r === rec.value && (to - from) * by > 0) travel.value = { rec: r, from, to, by };
    if (matchMedia('(max-width: 700px)').matches) tab.value = zone();
  });
}

const zones: Record<string, Tab> = { zookeeper: 'ledger', controller: 'ledger', requests: 'requests', brokers: 'brokers', futures: 'ledger' };

/** On a phone the step's own zone is shown: where its kind belongs, if the stop is about that, else what the stop is about. */
function zone(): Tab {
  const step = rec.value?.step(at.value);
  const family = step?.kind.split('.')[0] ?? '';
  const own: Tab = family === 'req' || family === 'resp' ? 'requests' : family === 'broker' || family === 'config' ? 'brokers' : family === 'sm' ? 'states' : 'ledger';
  const focus = stops.value[stopIndex.value]?.focus;
  if (!focus?.length || asking.value) return asking.value ? tab.value : own;
  const about = focus.map((f) => zones[f] ?? 'ledger');
  return about.includes(own) || (own === 'states' && about.includes('ledger')) ? own : about[0]!;
}

function moveBy(by: 1 | -1, lvl: Level): void {
  if (lvl === 'micro') { moveStep(by); return; }
  const list = stops.value;
  const here = stopIndex.value;
  const between = !asking.value && here >= 0 && (list[here]!.at !== at.value || list[here]!.run !== run.value);
  if (lvl === 'stop') {
    if (by > 0 && here === list.length - 1) last();
    else if (by < 0 && !between && here <= 0) first();
    else gotoStop(by > 0 ? here + 1 : between ? here : here - 1);
    return;
  }
  const act = list[here]?.act ?? -1;
  const start = list.findIndex((s) => s.act === act);
  if (by > 0) {
    const next = list.findIndex((s) => s.act > act);
    gotoStop(next < 0 ? list.length - 1 : next);
  } else if (here > start) gotoStop(start);
  else gotoStop(list.findIndex((s) => s.act === (list[start - 1]?.act ?? act)));
}

/** One step, over the border of two runs too. */
function moveStep(by: 1 | -1): void {
  const length = rec.value?.length ?? 0;
  if (by > 0 && at.value === length - 1 && !fork.value && recordings.value[run.value + 1]) {
    batch(() => { run.value++; goto(origin.value); });
  } else if (by < 0 && at.value <= origin.value && !fork.value && run.value > 0) {
    batch(() => { run.value--; goto(rec.value!.length - 1); });
  } else goto(at.value + (by < 0 && asking.value ? 0 : by));
}

export function first(): void {
  batch(() => {
    if (!fork.value) run.value = 0;
    goto(origin.value);
  });
}

export function last(): void {
  const list = stops.value;
  if (openAsk.value >= 0 || fork.value === undefined) gotoStop(list.length - 1);
  else goto((rec.value?.length ?? 1) - 1);
}

/** Shows another future from step `to` on; the way there from step `from` is one move, none is a jump. */
export function enterFork(f: Fork, to: number, from = to): void {
  batch(() => {
    fork.value = f;
    travel.value = from < to ? { rec: f.rec, from, to, by: 1 } : undefined;
    playing.value = false;
    asking.value = false;
    at.value = Math.min(to, f.rec.length - 1);
  });
}

/** Returns to the recording, to where it was left. */
export function leaveFork(): void {
  const f = fork.value;
  batch(() => {
    fork.value = undefined;
    travel.value = undefined;
    compare.value = false;
    if (f) at.value = Math.min(f.own?.back ?? f.base, (rec.value?.length ?? 1) - 1);
  });
}

/** Commits an answer; the step that it was about is shown. */
export function answer(stop: string, choice: string, certain = false): void {
  const s = asked.value;
  traveling(1, () => {
    spot.value = '';
    if (certain) sure.value = [...sure.value, stop];
    answers.value = { ...answers.value, [stop]: choice };
    if (s) goto(stops.value.find((x) => x.id === s.id)?.at ?? s.at);
  });
}

/** Asks where a value comes from; a znode is the answer where one is asked for. */
export function select(path: readonly string[], show?: Pane): void {
  if (show !== 'why' && asked.value?.ask?.kind === 'hotspot' && path[0] === 'zk') {
    spot.value = path[1]!;
    return;
  }
  batch(() => {
    selected.value = path;
    openPane(show ?? (pane.value === 'node' ? 'node' : 'why'));
  });
}

/** Opens the inspector at a pane; beside the stage it is open, where there is no room for that it is a sheet. */
export function openPane(p: Pane): void {
  pane.value = p;
  if (matchMedia('(max-width: 1180px)').matches) sheet.value = 'inspector';
}
