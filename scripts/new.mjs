// work-suite new <folder>: a project. work-suite new module, resource or migration: a part of it.
const PARTS = {
  module: (args) => (args.includes('--package') ? import('./new-package.mjs') : import('./new-module.mjs')),
  migration: () => import('./new-migration.mjs'),
  resource: () => import('./new-resource.mjs'),
};

export async function run([first, ...rest]) {
  if (Object.hasOwn(PARTS, first ?? '')) return (await PARTS[first](rest)).run(rest);
  return (await import('./new-project.mjs')).run([first, ...rest].filter(Boolean));
}
