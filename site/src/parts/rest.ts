// What the inspector has beyond Why?: panes and code. One file: packed, many small ones are larger.
export * from './code.ts';
export * from './panes.ts';
