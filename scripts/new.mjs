// work-suite new <folder>: a project. work-suite new module <name>: a module in it.
const PARTS = { module: './new-module.mjs' };

export async function run([first, ...rest]) {
  const part = Object.hasOwn(PARTS, first ?? '') ? PARTS[first] : undefined;
  return part ? (await import(part)).run(rest) : (await import('./new-project.mjs')).run([first, ...rest].filter(Boolean));
}
