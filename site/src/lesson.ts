// A lesson as site/build wrote it, and the stops of any recording.
import type { Recording } from './record.ts';
import type { Kind, Step } from './gen/trace.ts';
import { cut, kindText, stepText } from './fmt.ts';

export interface Choice { id: string; text: string; why: string; right: boolean }
/** A question (core/lesson documents the kinds): order is what is right of kind order, states what kind move chooses from. */
export interface Ask { kind: 'choice' | 'stop' | 'multi' | 'order' | 'value' | 'hotspot' | 'move'; question: string; choices: Choice[]; order?: string[]; states?: string[] }
export interface LessonStop {
  id: string; run: number; act: number; at: number; title: string; headline: string; sentence: string;
  method?: string; focus?: string[]; ask?: Ask;
}
export interface Act { title: string; charts?: string }
/** One recorded run; steps before `from` are its set-up and not shown. */
export interface Run { trace: string; from: number }
/** What is said at the end. */
export interface Recap { points: string[]; last: string; kraft: string }
export interface Lesson { id: string; number: number; title: string; acts: Act[]; runs: Run[]; stops: LessonStop[]; side?: string; recap?: Recap }

/** A place in a recording where one stays: from the lesson, or of the default overlay. */
export interface Stop extends LessonStop { n: number }

/** Whether what was answered is what the core found: ids joined by commas, a value, a path, FROM>TO. */
export function isRight(ask: Ask, given: string): boolean {
  const right = ask.choices.filter((c) => c.right).map((c) => c.id);
  if (ask.kind === 'multi') return given === right.join(',');
  if (ask.kind === 'order') return given === ask.order?.join(',');
  return right.some((id) => bare(id) === bare(given));
}

/** An answer without what may be written in one way or another, as the core reads it. */
export function bare(answer: string): string { return answer.replaceAll('，', ',').replace(/[\s[\]{}"']/g, '').toLowerCase(); }

/** Kinds whose steps cross from one lane to another, or begin something: the default stops. */
const crossing: ReadonlySet<Kind> = new Set<Kind>(['zk.create', 'zk.set', 'zk.delete', 'zk.multi', 'zk.error', 'watch.fire', 'watch.lost',
  'session.open', 'session.close', 'session.cut', 'session.heal', 'session.expire', 'session.learn', 'event.put', 'event.take', 'event.done', 'event.preempt', 'event.fail',
  'sm.move', 'sm.refuse', 'req.send', 'req.deliver', 'req.fenced', 'req.drop', 'resp', 'config.apply', 'notice.purge', 'hold', 'release', 'admin', 'clock.warp', 'fault']);

/** Kinds of what is done from outside. */
const outside: ReadonlySet<Kind> = new Set<Kind>(['hold', 'release', 'admin', 'clock.warp', 'fault']);

/** How an act is called that begins here: by what was done from outside, in a clause, or the event that a controller takes. Answers to its
 *  own requests belong to what they answer. undefined where none begins. */
function opens(s: Step): string | undefined {
  if (outside.has(s.kind) && s.lane === 'admin' && !s.causes?.length) {
    const [clause] = stepText(s).replace(/^[^:：]*[:：] ?/, '').split(/[;；，]/);
    return clause!.charAt(0).toUpperCase() + clause!.slice(1);
  }
  return s.kind === 'event.take' && !s.entity?.endsWith('ResponseReceived') ? s.entity : undefined;
}

/** The stops of a fork: the lesson's own up to where it was left, then the default overlay with the charts that stood there. */
export function forkStops(rec: Recording, run: number, base: number, lesson: Lesson | undefined): { acts: Act[]; stops: Stop[] } {
  const acts = [...(lesson?.acts ?? [])];
  const kept = (lesson?.stops ?? []).filter((s) => s.run < run || (s.run === run && s.at <= base));
  const stops: Stop[] = kept.map((s, i) => ({ ...s, n: i + 1 }));
  const charts = acts[kept.at(-1)?.act ?? 0]?.charts;
  let act = -1;
  for (let i = base + 1; i < rec.length; i++) {
    const s = rec.step(i)!;
    if (!crossing.has(s.kind) && i !== rec.length - 1) continue;
    const title = opens(s);
    if (act < 0 || title !== undefined) act = acts.push({ title: title ?? kindText(s), charts }) - 1;
    stops.push(Object.assign(stopOf(s, run), { act, n: stops.length + 1 }));
  }
  return { acts, stops };
}

/** The stops of a run of its own with one question, which stands where the default overlay has a stop at most. */
export function ownStops(rec: Recording, run: number, ask: Stop | undefined, lesson: Lesson | undefined): { acts: Act[]; stops: Stop[] } {
  const { acts, stops } = forkStops(rec, run, -1, lesson && { ...lesson, stops: [] });
  const rest = stops.filter((s) => s.at !== ask?.at);
  const i = rest.findIndex((s) => s.at > (ask?.at ?? 0));
  if (ask) rest.splice(i < 0 ? rest.length : i, 0, { ...ask, act: (stops.findLast((s) => s.at <= ask.at) ?? stops[0])?.act ?? 0 });
  return { acts, stops: rest.map((s, k) => ({ ...s, n: k + 1 })) };
}

export function lessonStops(lesson: Lesson): { acts: Act[]; stops: Stop[] } {
  return { acts: lesson.acts, stops: lesson.stops.map((s, i) => ({ ...s, n: i + 1 })) };
}

/** What a caption has room for, in columns. */
const headline = 52;
const sentence = 160;

/** A step as a stop of its own; its words are put together when they are asked for, which of thousands few are. */
export function stopOf(s: Step, run: number): LessonStop {
  const short = (): string => cut(kindText(s), headline);
  return { id: 's' + s.i, run, act: 0, at: s.i, method: s.kind, get title() { return short(); }, get headline() { return short(); }, get sentence() { return cut(stepText(s), sentence); } };
}
