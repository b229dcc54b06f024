// Parts that the first picture does not need come when they are asked for: here those that every stage may ask for.
import { signal } from '@preact/signals-core';
import { allWords } from './i18n.ts';

let coming = 0;

/** For tests: how many parts are on their way. While there are any, the page shows less than it soon will. */
export const onTheWay = (): number => coming;

/** Counts something as on its way until it is there. */
export function underWay<T>(what: Promise<T>): Promise<T> {
  coming++;
  return what.finally(() => { coming--; });
}

/** The module once it and its words are there; asking for it the first time loads it, and what asked is drawn again. */
export function lazy<T>(load: () => Promise<T>): () => T | undefined {
  const module = signal<T | undefined>(undefined);
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      void underWay(Promise.all([load(), allWords]).then(([m]) => { module.value = m; }, () => { asked = false; }));
    }
    return module.value;
  };
}

export const futuresPart = lazy(() => import('./parts/whatfollows.ts'));
export const whatifPart = lazy(() => import('./parts/whatfollows.ts'));
export const agesPart = lazy(() => import('./parts/pictures.ts'));
export const spacetimePart = lazy(() => import('./parts/pictures.ts'));
export const panesPart = lazy(() => import('./parts/rest.ts'));
export const codePart = lazy(() => import('./parts/rest.ts'));
export const chartPart = lazy(() => import('./parts/pictures.ts'));

/** What comes behind the first picture, so that it is there when it is asked for. */
export function fetchRest(): void {
  void underWay(import('./parts/cards.ts').then((m) => m.begin()));
  chartPart();
  const later = document.getElementById('app')?.dataset.later;
  if (!later) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = later;
  document.head.append(link);
}
