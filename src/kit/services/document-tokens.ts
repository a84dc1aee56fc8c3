import type { Ctx } from '../callers/ctx.js';

export const DOCUMENT_TOKEN_TYPES = ['text', 'number', 'date', 'boolean'] as const;

/** A token of a module that templates of documents can print. */
export interface DocumentTokenDefinition {
  /** How it is printed and compared. A `date` is a calendar day, `YYYY-MM-DD`. */
  type: (typeof DOCUMENT_TOKEN_TYPES)[number];
  /** What it prints, for those who write templates. */
  description: string;
}

/** A text, a number, a calendar day or a boolean, as the token is declared; null or undefined for no value. */
export type DocumentTokenValue = string | number | boolean | null | undefined;

/** What is known of a document when the values of its tokens are read. */
export interface TokenizedDocument {
  project_id: string;
  type_code: string;
  title: string;
  /** The caller's own reference. Documents of triggers have the type of the event and the id of its object. */
  source_ref: string | Record<string, unknown> | null;
  data_values: Readonly<Record<string, unknown>>;
}

/** The tokens of a module by their names without the name of the module, and one of its providers, which reads their values. */
export interface DeclaredDocumentTokens {
  names: Readonly<Record<string, DocumentTokenDefinition>>;
  provider: abstract new (...args: never[]) => DocumentTokens;
}

/**
 * Reads the values of a module's tokens. A module names its provider and its tokens as `documentTokens` in its manifest; templates print
 * them as `{{fleet.vehicle_name}}`, with the name of the module. They are read when a document is created or edited, and stored with it:
 * what is signed does not change with its source. Whoever may create documents sees the values, whatever else they may read.
 *
 * @example
 * ```ts
 * import { Injectable } from '@nestjs/common';
 * import { DocumentTokens, Store, type Ctx, type DocumentTokenValue, type TokenizedDocument } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * @Injectable()
 * export class FleetTokens extends DocumentTokens {
 *   constructor(private readonly store: Store) {
 *     super();
 *   }
 *
 *   async read(ctx: Ctx, { project_id, data_values }: TokenizedDocument): Promise<Record<string, DocumentTokenValue>> {
 *     const [trip] = await this.store.list(ctx, Trip, { project_id, title: String(data_values.trip) });
 *     return { starts_on: trip?.starts_on };
 *   }
 * }
 * ```
 */
export abstract class DocumentTokens {
  /**
   * The values by name; those left out have none. Called only if the template has a token of the module, in the transaction that writes the
   * document. An error such as `invalid('data_values', ...)` refuses the document.
   */
  abstract read(
    ctx: Ctx,
    document: TokenizedDocument,
    /** The tokens that the template has, without the name of the module. */
    names: readonly string[],
  ): Promise<Readonly<Record<string, DocumentTokenValue>>>;
}

/** A value with its type, as stored. */
export interface ReadDocumentToken {
  type: DocumentTokenDefinition['type'];
  value: NonNullable<DocumentTokenValue> | null;
}

/**
 * The tokens of all modules, by name: `fleet.vehicle_name`. For modules that print documents.
 *
 * @example
 * ```ts
 * import type { Ctx, DocumentTokenCatalog, TokenizedDocument } from 'work-suite/kit';
 *
 * export const values = (catalog: DocumentTokenCatalog, ctx: Ctx, letter: TokenizedDocument) =>
 *   catalog.read(ctx, letter, [...catalog.definitions.keys()]);
 * ```
 */
export abstract class DocumentTokenCatalog {
  abstract readonly definitions: ReadonlyMap<string, DocumentTokenDefinition>;
  /** The values of these tokens. */
  abstract read(ctx: Ctx, document: TokenizedDocument, names: readonly string[]): Promise<Record<string, ReadDocumentToken>>;
}
