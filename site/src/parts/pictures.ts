// Pictures that take the place of others on the stage.
export * from './ages.ts';
export * from './chart.ts';
export * from './spacetime.ts';
