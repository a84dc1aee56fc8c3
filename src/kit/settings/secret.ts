import { inspect } from 'node:util';

/**
 * A value that logs, JSON and error messages show as `[secret]`; only `reveal()` returns it.
 *
 * @example
 * ```ts
 * import { Secret } from 'work-suite/kit';
 *
 * const key = new Secret('only reveal() shows it');
 * const headers = { authorization: `Bearer ${key.reveal()}` };
 * ```
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
