// All calls of properties.spec.ts.
process.env.PROPERTY_QUIET = 'Infinity';
await import('./properties.spec.js');

// the file is a module, so that it may await
export {};
