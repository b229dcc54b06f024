// What a lesson has around its stage, and no other page: list, inspector with what is asked and answered, transport.
export * from './beside.ts';
export * from './rail.ts';
export * from './recap.ts';
export * from './transport.ts';
