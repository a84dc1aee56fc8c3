import type { Type } from '@nestjs/common';
import { manifestOf } from '../../src/kit/internal.js';
import { MODULES } from '../../src/modules.js';

/** The product's modules without one, and without those that import it: they cannot work without it. */
export function modulesWithout(name: string): Type[] {
  const removed = new Set(MODULES.filter((module) => manifestOf(module).name === name));
  if (removed.size === 0) throw new Error(`There is no module ${name}.`);
  for (let size = 0; size !== removed.size;) {
    size = removed.size;
    for (const module of MODULES) if (manifestOf(module).imports?.some((other) => removed.has(other as Type))) removed.add(module);
  }
  return MODULES.filter((module) => !removed.has(module));
}

/** The modules of this run: those of the product, without the one that TEST_WITHOUT_MODULE names. */
export function modulesOfRun(): readonly Type[] {
  const { TEST_WITHOUT_MODULE: name } = process.env;
  return name ? modulesWithout(name) : MODULES;
}
