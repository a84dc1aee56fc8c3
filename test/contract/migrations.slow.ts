// All migrations of migrations.spec.ts, reverted one by one.
process.env.MIGRATIONS_ONE_BY_ONE = 'Infinity';
await import('./migrations.spec.js');

// the file is a module, so that it may await
export {};
