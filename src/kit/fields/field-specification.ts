import type { Type } from '@nestjs/common';
import type { DecimalRange } from '../values/decimals.js';

type FieldKind =
  | 'string'
  | 'uuid'
  | 'email'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'date_time'
  | 'enum'
  | 'object'
  | 'map'
  | 'text_or_map'
  | 'value';

/** How a list query applies a parameter; see `Filter` in list-query.ts. */
interface FilterSpec {
  column: string;
  operator: 'in' | 'overlaps' | 'from' | 'before' | 'custom';
  /** The value `none` matches rows without a value. */
  orNone?: boolean;
}

/** A key for people that identifies a resource as its id does. */
export interface KeyFormat {
  /** A regular expression's source with `^` and `$`, without flags. */
  pattern: string;
  example: string;
}

/** The specification of one field. Validation, OpenAPI, merge patch and query parsing all use it. */
export interface FieldSpec {
  kind: FieldKind;
  /** One sentence for people and agents; states units and where to get the value. */
  description: string;
  example: unknown;
  /** Whether a request must send the field, or a response always has it. Default true. */
  required?: boolean;
  /** Whether JSON null is valid. Default false. */
  nullable?: boolean;
  /** Optional fields: samples of the documentation send it. A request with neither this member nor its alternative is refused. */
  inSamples?: boolean;
  /** The value that applies if the field is absent. Only documented here; the service applies it. */
  default?: unknown;
  /** A sentence for creation only, such as what applies if the field is absent. `partialOf` removes it. */
  onCreate?: string;
  /** Strings: length in characters. A string with a minimum must contain a character other than white space. */
  minLength?: number;
  maxLength?: number;
  /** Strings: a regular expression's source, without flags. */
  pattern?: string;
  /** Strings with a pattern: what the pattern asks for, in words that follow "must be". */
  patternInWords?: string;
  /** Strings: identifies something, by which it is found and compared, so white space around it is removed from what is sent. */
  isIdentifier?: boolean;
  format?: string;
  minimum?: number;
  maximum?: number;
  /** Integers: an amount in minor units of a currency. */
  isAmount?: boolean;
  /** Amounts: the currency, if it is always the same. */
  currency?: string;
  /** Dates and times: a filter only compares it, so the years 1 to 999, which cannot be stored, are valid too. */
  isBound?: boolean;
  /** Times in a query: a day stands for its end, as in a report of what was up to a day. By default it stands for its beginning. */
  endOfDay?: boolean;
  /** Decimals: the valid numbers. */
  decimal?: DecimalRange;
  /** Maps: how a value looks, for the error about another type, such as {"value": ...}. */
  looksLike?: string;
  /** UUIDs: a key for people is accepted too, such as ENG-42; the service resolves it. */
  orKey?: KeyFormat;
  /** Enums: all values. */
  values?: readonly string[];
  /** Strings with `values`: validation accepts any text, and the service rejects other values with this error code. */
  errorCode?: string;
  /** Maps: the largest number of members, not counting those of nested objects. */
  maxProperties?: number;
  /** Maps: the resource whose custom fields are the members. */
  customFieldsOf?: string;
  /** Objects: the nested DTO. */
  type?: () => Type;
  /** The field is an array of the kind with these bounds; items must be distinct unless `repeats`. */
  list?: { minItems?: number; maxItems: number; repeats?: boolean };
  filter?: FilterSpec;
  /** Bodies: an old name of another member. It stays valid, but tools do not list it. Not for objects, and not within them. */
  deprecated?: boolean;
  /** Query parameters: what a tool sends if the agent sends nothing. */
  toolDefault?: unknown;
  /**
   * Responses: agents get the field in lists unless they name others, so it tells what identifies, dates or counts the resource. A page
   * of long rows goes without those that are `if_short`, and says so.
   */
  summary?: boolean | 'if_short';
}
