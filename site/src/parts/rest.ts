// What the inspector has beyond Why?: panes, code, questions and what follows them. One file: packed, many small ones are larger.
export * from './again.ts';
export * from './asks.ts';
export * from './code.ts';
export * from './panes.ts';
export * from './recap.ts';
