import { UnknownDependenciesException } from '@nestjs/core/errors/exceptions/unknown-dependencies.exception.js';

const MODULE = /\bin the (\w+)(?: module| context)?/;

/** Nest's error of a class that injects what no module provides, in words that say what to change; any other error as it is. */
export function withMend(error: unknown): unknown {
  if (!(error instanceof UnknownDependenciesException)) return error;
  const { type, context } = error;
  const by = nameOf(type);
  const where = context.index === undefined ? `as ${String(context.key)}` : `as argument ${context.index + 1} of its constructor`;
  const module = MODULE.exec(error.message)?.[1] ?? 'its module';
  const token = context.index === undefined ? context.name : (context.dependencies?.[context.index] ?? context.name);
  const name = nameOf(token);
  const problem =
    token === undefined || token === Object || name === 'Object'
      ? `${by} of ${module} injects something that does not exist at run time (${where}): import the class itself instead of its type, ` +
        'and look for files that import each other.'
      : `${by} of ${module} injects ${name} (${where}), which no manifest declares for it: list ${name} in providers of ${module}, ` +
        `or list it in exports of the module that has it and import that module.`;
  return new Error(problem, { cause: error });
}

function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}
