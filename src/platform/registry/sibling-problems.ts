import type { ForwardReference, Type } from '@nestjs/common';
import { isDomainModule, manifestOf, type Manifest } from '../../kit/internal.js';
import { dependenciesOf } from './provider-habits.js';

/** What is wrong with how modules depend on each other: on modules without a line, or on what their manifests do not declare. */
export function siblingProblems(modules: readonly Type[]): string[] {
  return modules.flatMap((module) => [...importProblems(module, modules), ...injectionProblems(module, modules)]);
}

/** Nest would create a module that another imports, although its line was removed, with routes that no manifest owns. */
function importProblems(module: Type, modules: readonly Type[]): string[] {
  const { name, imports = [] } = manifestOf(module);
  const later = imports.map((other) => (other as Partial<ForwardReference<() => unknown>>).forwardRef?.() as Type | undefined);
  const cyclic = later.filter((other) => other !== undefined && isDomainModule(other)) as Type[];
  const absent = imports
    .filter((other): other is Type => typeof other === 'function' && isDomainModule(other as Type) && !modules.includes(other as Type))
    .map(
      (other) =>
        `${name} imports ${other.name}, which is not in the list of modules: add the line of ${manifestOf(other).name}, or remove ` +
        `that of ${name} (${module.name}), too`,
    );
  return [
    ...absent,
    ...cyclic.map((other) => `${name}: imports has ${other.name} by forwardRef: let only one of two modules import the other`),
  ];
}

/** All modules could inject what a module exports that one of them uses, and would work until its line is removed. */
function injectionProblems(module: Type, modules: readonly Type[]): string[] {
  const { name, imports = [], uses = [], ...manifest } = manifestOf(module);
  const siblings = new Set([...modules, ...uses].filter((other) => other !== module && !imports.includes(other)));
  const owners = new Map([...siblings].flatMap((other) => (manifestOf(other).exports ?? []).map((token) => [token as unknown, other])));
  return classesOf(manifest).flatMap((type) =>
    dependenciesOf(type).flatMap(([token, where, isOptional]) => {
      const owner = owners.get(token);
      if (!owner) return [];
      const injects = `${name}: ${where} injects ${(token as Type).name} of ${manifestOf(owner).name}`;
      if (!uses.includes(owner)) return [`${injects}: list ${owner.name} in uses, or in imports if ${name} cannot work without it`];
      return isOptional ? [] : [`${injects}, which is in uses: inject it with @Optional()`];
    }),
  );
}

function classesOf(manifest: Pick<Manifest, 'controllers' | 'providers' | 'jobs' | 'scheduledJobs' | 'onInternalEvent'>): Type[] {
  const { controllers, providers, jobs = [], scheduledJobs = [], onInternalEvent } = manifest;
  return [...controllers, ...providers, ...jobs, ...scheduledJobs, onInternalEvent].filter(
    (each): each is Type => typeof each === 'function',
  );
}
