import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ConfigError, DomainError } from '../kit/index.js';
import { PACKAGE_ROOT, PROJECT_ROOT } from '../platform/config/project-root.js';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The arguments are not a valid command; the usage text is printed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Command {
  options: Options;
  /** Names of the required positional arguments. */
  words?: readonly string[];
  run(given: Given): Promise<void>;
}

export type Commands = Readonly<Record<string, Command>>;

/** How a command begins: here, or in the project of a team. */
export function suiteCommand(name: string): string {
  return PROJECT_ROOT === PACKAGE_ROOT ? `npm run ${name} --` : `npx work-suite ${name}`;
}

/** The options and positional arguments of a command, by name. */
export class Given {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  text(name: string): string | undefined {
    return this.values[name] as string | undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new UsageError(`--${name} is required.`);
    return value;
  }

  list(name: string): string[] | undefined {
    return this.text(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }

  number(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number, but it is "${value}".`);
    return Number(value);
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }
}

/**
 * Runs the command given by the arguments. Usage texts say `work-suite <name>`. Exit code 1: it was rejected or failed; 2: the
 * command or its arguments are invalid.
 */
export async function runCommand(commands: Commands, usage: string, args: readonly string[]): Promise<void> {
  const shown = usage.replace(/^ {2}work-suite ([\w:]+)/gm, (_, name: string) => `  ${suiteCommand(name)}`);
  try {
    const [name, ...rest] = args;
    if (name === undefined || name === 'help' || ['--help', '-h'].some((word) => args.includes(word))) return console.log(shown);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new UsageError(`There is no command "${name}".`);
    await command.run(read(command, rest));
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1;
    if (error instanceof UsageError) console.error(`${error.message}\n\n${shown}`);
    else console.error(error instanceof ConfigError ? error.message : error instanceof DomainError ? sentence(error) : error);
  }
}

function read({ options, words = [] }: Command, args: readonly string[]): Given {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (positionals.length < words.length) throw new UsageError(`The ${words[positionals.length]} is missing.`);
    if (positionals.length > words.length) throw new UsageError(`"${positionals[words.length]}" is one argument too many.`);
    return new Given({ ...values, ...Object.fromEntries(words.map((word, index) => [word, positionals[index]])) });
  } catch (error) {
    // without the advice on dashes that parseArgs appends
    throw error instanceof UsageError ? error : new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
}

function sentence({ message, occurrence: { allowed } }: DomainError): string {
  const choices = allowed?.join(', ');
  return `${message.replace(/\.$/, '')}${choices && !message.includes(choices) ? ` (allowed: ${choices})` : ''}.`;
}
