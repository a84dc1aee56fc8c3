import ipaddr from 'ipaddr.js';
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../values/is-object.js';
import { Secret } from './secret.js';

/** A type of value. `parse` returns undefined for an invalid value. */
export interface ValueType<T> {
  /** Completes the sentence "X must be ...". */
  readonly accepts: string;
  /** `root` is the folder of the project, from which relative paths are resolved. */
  parse(raw: unknown, root: string): T | undefined;
}

function wholeNumber(min: number, max: number): ValueType<number> {
  return {
    accepts: `a whole number from ${min} to ${max}`,
    parse(raw) {
      if (!/^\d{1,15}$/.test(String(raw))) return undefined;
      const value = Number(raw);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

function oneOf<const T extends string>(...choices: T[]): ValueType<T> {
  return {
    accepts: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    parse: (raw) => choices.find((choice) => choice === raw),
  };
}

const hostName: ValueType<string> = {
  accepts: 'a host name or an IP address',
  parse: (raw) => (typeof raw === 'string' && (ipaddr.isValid(raw) || /^[a-z0-9.-]+$/i.test(raw)) ? raw : undefined),
};

/** Relative paths are resolved from the project folder, not from the current directory. */
const folder: ValueType<string> = {
  accepts: 'the path of a folder',
  parse: (raw, root) => (typeof raw === 'string' ? resolve(root, raw) : undefined),
};

/** Relative paths are resolved from the project folder. */
function readableFile(what: string): ValueType<string> {
  return {
    accepts: `the path of ${what} that can be read`,
    parse(raw, root) {
      if (typeof raw !== 'string') return undefined;
      const path = resolve(root, raw);
      try {
        accessSync(path, constants.R_OK);
        return statSync(path).isFile() ? path : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** One line of text. */
function text(what: string): ValueType<string> {
  return { accepts: what, parse: (raw) => (typeof raw === 'string' && !/[\r\n]/.test(raw) ? raw : undefined) };
}

const publicUrl: ValueType<string> = {
  accepts: 'an http or https URL without query or fragment, such as https://suite.example.com',
  parse(raw) {
    const url = parseUrl(raw, ['http:', 'https:']);
    return url && !url.search && !url.hash && !url.username ? url.href.replace(/\/+$/, '') : undefined;
  },
};

const mailbox: ValueType<string> = {
  accepts: 'an e-mail address, such as suite@example.com or Work suite <suite@example.com>',
  parse: (raw) => (typeof raw === 'string' && /^([^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(raw) ? raw : undefined),
};

function secretUrl(...protocols: string[]): ValueType<Secret> {
  return {
    accepts: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    parse: (raw) => (parseUrl(raw, protocols) ? new Secret(raw as string) : undefined),
  };
}

/** URLs that may contain credentials. */
function secretUrls(what: string): ValueType<Secret> {
  const isUrl = (item: string) => parseUrl(item.trim(), ['http:', 'https:']) !== undefined;
  return {
    accepts: `a comma-separated list of http or https URLs of ${what}`,
    parse: (raw) => (typeof raw === 'string' && raw.split(',').every(isUrl) ? new Secret(raw) : undefined),
  };
}

/** A secret of any length that another system issued. */
function givenSecret(what: string): ValueType<Secret> {
  return { accepts: what, parse: (raw) => (typeof raw === 'string' ? new Secret(raw) : undefined) };
}

/** A JSON list of objects, some of whose members are secrets. */
function secretList(accepts: string): ValueType<Secret> {
  return {
    accepts,
    parse(raw) {
      if (typeof raw !== 'string') return undefined;
      try {
        const list: unknown = JSON.parse(raw);
        const isList = Array.isArray(list) && list.every(isObject);
        return isList ? new Secret(raw) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function secretText(minLength: number): ValueType<Secret> {
  return {
    accepts: `a random string of at least ${minLength} characters`,
    parse: (raw) => (typeof raw === 'string' && raw.length >= minLength ? new Secret(raw) : undefined),
  };
}

/** Random strings, separated by commas; a JSON list of them if one contains a comma. */
function secretTexts(minLength: number): ValueType<readonly Secret[]> {
  return {
    accepts: `a comma-separated list of random strings of at least ${minLength} characters`,
    parse(raw) {
      if (typeof raw !== 'string') return undefined;
      const texts = raw.startsWith('[') ? jsonTexts(raw) : raw.split(',').map((item) => item.trim());
      return texts.length > 0 && texts.every((text) => text.length >= minLength)
        ? Object.freeze(texts.map((text) => new Secret(text)))
        : undefined;
    },
  };
}

function jsonTexts(raw: string): string[] {
  try {
    const list: unknown = JSON.parse(raw);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : [];
  } catch {
    return [];
  }
}

const addressRanges = listOf(
  'a comma-separated list of IP addresses and CIDR ranges, such as 10.0.0.0/8,192.168.1.4',
  (item) => ipaddr.isValid(item) || ipaddr.isValidCIDR(item),
);

const origins = listOf(
  'a comma-separated list of origins, such as https://app.example.com,http://localhost:5173',
  (item) => parseUrl(item, ['http:', 'https:'])?.origin === item,
);

/**
 * The types of settings.
 *
 * @example
 * ```ts
 * import { setting, settingTypes } from 'work-suite/kit';
 *
 * const MODES = setting({ variable: 'FLEET_MODE', type: settingTypes.oneOf('car', 'train'), default: 'car', description: 'How to go.' });
 * ```
 */
export const settingTypes = {
  wholeNumber,
  oneOf,
  hostName,
  folder,
  readableFile,
  text,
  publicUrl,
  mailbox,
  secretUrl,
  secretUrls,
  givenSecret,
  secretList,
  secretText,
  secretTexts,
  addressRanges,
  origins,
};

function listOf(accepts: string, isItem: (item: string) => boolean): ValueType<readonly string[]> {
  return {
    accepts,
    parse(raw) {
      const items = (Array.isArray(raw) ? raw.map(String) : String(raw).split(',')).map((item) => item.trim());
      return items.every(isItem) ? Object.freeze(items) : undefined;
    },
  };
}

function parseUrl(raw: unknown, protocols: string[]): URL | undefined {
  if (typeof raw !== 'string' || !URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  return protocols.includes(url.protocol) && url.hostname ? url : undefined;
}
