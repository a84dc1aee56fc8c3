import type { Type } from '@nestjs/common';
import { sql, type Sql } from '../sql/sql.js';

/** Somebody whose personal data is erased. */
export interface Person {
  /** In lower case. */
  email: string;
}

/** Rows of an entity that are about people, found by e-mail address, and what becomes of them when a person is erased. */
export interface PersonalData {
  /** One of the module's entities. */
  entity: Type;
  /** What they are, in plural, for example `contacts`. */
  title: string;
  /**
   * The condition that a row, `t`, is about the person. Other tables in it are restricted by `own`. Rules apply in the order of the
   * manifest, so those that look a person up in another table stand before the rule that erases there.
   */
  where(person: Person): Sql;
  /** Columns with the person's full name, which is then looked for in all other texts. */
  names?: readonly string[];
  /** By column: what takes the place of its value, a value or an `sql` over `t`. Or the rows are deleted. Left out: all rows are kept. */
  erase?: Readonly<Record<string, unknown>> | ((person: Person) => Readonly<Record<string, unknown>>) | 'delete';
  /** Rows that stay as they are, by a condition over `t`, or all of them; and why, as members read it. */
  keep?: { where?: Sql; why: string };
}

/** A regular expression, of PostgreSQL, over text in lower case: the address, but not as a part of a longer one. */
export function addressPattern(email: string): string {
  return `${wordPattern(email)}(?!\\.[[:alpha:]])`;
}

/** The same for a text that is no part of a longer word. In JSON, an escape such as `\n` may precede it. */
export function wordPattern(text: string): string {
  const escaped = text.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, '\\$&');
  return String.raw`(^|[^[:alnum:]._%+-]|\\([bfnrt]|u[0-9a-f]{4}))${escaped}(?![[:alnum:]-])`;
}

/**
 * The condition that free text or JSON contains the person's address, for `where`:
 *
 * ```ts
 * import { containsAddress, sql, type Person } from 'work-suite/kit';
 *
 * const isAbout = (person: Person) => containsAddress(sql`t.answers::text`, person);
 * ```
 */
export function containsAddress(text: Sql, { email }: Person): Sql {
  return sql`lower(${text}) ~ ${addressPattern(email)}`;
}

type Values<E> = Partial<Record<keyof E & string, unknown>>;

/** What takes the place of a name. */
export const ERASED_NAME = 'Erased person';

/** What takes the place of text that a person wrote. */
export const ERASED_TEXT = '[erased]';

/** What takes the place of an e-mail address where one is needed. Mails to it go nowhere (RFC 2606). */
export const ERASED_EMAIL = 'erased@erased.invalid';

/**
 * Rows of an entity with personal data, for `personalData` of the manifest. The compiler checks the columns.
 *
 * @example
 * ```ts
 * import { Column, Entity } from 'typeorm';
 * import { BusinessEntity, personalData, sql } from 'work-suite/kit';
 *
 * @Entity('fleet_drivers')
 * class Driver extends BusinessEntity {
 *   @Column('text')
 *   email: string;
 * }
 *
 * export const FLEET_PERSONAL_DATA = [
 *   personalData(Driver, { title: 'drivers', where: ({ email }) => sql`lower(t.email) = ${email}`, erase: 'delete' }),
 * ];
 * ```
 */
export function personalData<E extends object>(
  entity: Type<E>,
  rule: Omit<PersonalData, 'entity' | 'names' | 'erase'> & {
    names?: readonly (keyof E & string)[];
    erase?: Values<E> | ((person: Person) => Values<E>) | 'delete';
  },
): PersonalData {
  return { entity, ...rule };
}
