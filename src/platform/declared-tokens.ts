import type { ModuleRef } from '@nestjs/core';
import {
  type DocumentTokens,
  isCalendarDay,
  type DocumentTokenCatalog,
  type DocumentTokenDefinition,
  type DocumentTokenValue,
  type ReadDocumentToken,
} from '../kit/index.js';
import type { ModuleRegistry } from './registry/module-registry.js';

const LONGEST_TEXT = 10_000;

/** The tokens of the manifests. Their providers are resolved when they are needed, because modules are created after the platform. */
export function declaredTokens({ manifests }: ModuleRegistry, moduleRef: ModuleRef): DocumentTokenCatalog {
  const modules = manifests.flatMap(({ name, documentTokens }) => (documentTokens ? [{ name, ...documentTokens }] : []));
  const definitions = new Map(
    modules.flatMap(({ name, names }) => Object.entries(names).map(([token, definition]) => [`${name}.${token}`, definition])),
  );
  return {
    definitions,
    async read(ctx, document, wanted) {
      const read: Record<string, ReadDocumentToken> = {};
      for (const { name: module, names, provider } of modules) {
        const asked = Object.keys(names).filter((token) => wanted.includes(`${module}.${token}`));
        if (asked.length === 0) continue;
        const values = await moduleRef.get<DocumentTokens>(provider, { strict: false }).read(ctx, document, asked);
        const undeclared = Object.keys(values).find((token) => !Object.hasOwn(names, token));
        if (undeclared !== undefined)
          throw new Error(`${provider.name} returns ${undeclared}, which documentTokens of ${module} does not declare.`);
        for (const token of asked)
          read[`${module}.${token}`] = {
            type: names[token].type,
            value: checked(values[token], names[token], `${provider.name}: ${token}`),
          };
      }
      return read;
    },
  };
}

function checked(value: DocumentTokenValue, { type }: DocumentTokenDefinition, what: string): ReadDocumentToken['value'] {
  if (value === null || value === undefined) return null;
  if (!FITS[type](value)) throw new Error(`${what} is no ${type}, as the manifest declares it.`);
  return value;
}

const FITS: Record<DocumentTokenDefinition['type'], (value: NonNullable<DocumentTokenValue>) => boolean> = {
  text: (value) => typeof value === 'string' && value.length <= LONGEST_TEXT,
  number: (value) => Number.isFinite(value),
  date: (value) => typeof value === 'string' && isCalendarDay(value),
  boolean: (value) => typeof value === 'boolean',
};
