// Style sheets that only one page has; the build links them from it.
declare module '*.css';
