import { DOCUMENT_TOKEN_TYPES, DocumentTokens } from '../../kit/index.js';
import type { Manifest } from '../../kit/internal.js';

const TYPES: readonly unknown[] = DOCUMENT_TOKEN_TYPES;
const TOKEN = /^[a-z][a-z0-9_]{0,62}$/;

/** What is wrong with the tokens that a manifest declares. */
export function tokenProblems({ documentTokens }: Manifest): string[] {
  if (!documentTokens) return [];
  const { names, provider } = documentTokens as Partial<NonNullable<Manifest['documentTokens']>>;
  const isProvider = typeof provider === 'function' && provider.prototype instanceof DocumentTokens;
  return [
    ...(isProvider ? [] : ['documentTokens has no provider: name a class that extends DocumentTokens']),
    ...(names && Object.keys(names).length > 0
      ? []
      : ["documentTokens has no names: write { vehicle_name: { type: 'text', description } }"]),
    ...Object.entries(names ?? {}).flatMap(([token, definition]) => [
      ...(TOKEN.test(token) ? [] : [`the document token "${token}" must be lower-case letters, digits and underscores`]),
      ...(TYPES.includes(definition?.type) ? [] : [`the type of the document token ${token} must be ${TYPES.join(', ')}`]),
      ...(typeof definition?.description === 'string' && definition.description.trim() !== ''
        ? []
        : [`the document token ${token} has no description: write what it prints`]),
    ]),
  ];
}
