// What if, and two futures side by side: who opens the one soon sees the other.
export * from './futures.ts';
export * from './whatif.ts';
