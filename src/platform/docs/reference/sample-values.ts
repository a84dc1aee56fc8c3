import { snakeCase } from '../../../kit/internal.js';
import type { CatalogTool } from '../../mcp/catalog/tool-catalog.js';
import type { SampleIds } from './sample-ids.js';

/** By argument, such as `lines.item_id`, what the samples of an operation send: an id, or what its record says. */
export type ArgumentValues = Readonly<Record<string, unknown>>;

/** By argument, the operations that answer with its ids. */
type Sources = readonly (readonly [argument: string, operations: readonly string[]])[];

interface Called {
  id: string;
  module: string;
  path: string;
}

/** Chooses the ids that samples send: tools know which operation answers with the ids of an argument. */
export class SampleValues {
  /** By the path of a record without its plane, the list of such records. */
  private readonly lists: ReadonlyMap<string, string>;
  private readonly ofTool: ReadonlyMap<string, Sources>;
  /** What the tools of a module mean by the name of an argument. */
  private readonly ofModule: ReadonlyMap<string, Sources>;

  constructor(
    tools: readonly CatalogTool[],
    private readonly ids: SampleIds,
  ) {
    const paths = tools.map(({ name, binding }) => [withoutPlane(binding.path.join('')), name] as const);
    this.lists = new Map(paths.filter(([, name]) => ids.get(name)?.id !== undefined));
    this.ofTool = new Map(tools.map(({ name, idsFrom }) => [name, [...idsFrom]]));
    const modules = Map.groupBy(tools, ({ module }) => module);
    const sourcesOf = (own: readonly CatalogTool[]) => own.flatMap(({ idsFrom }) => [...idsFrom].filter(([name]) => name !== 'id'));
    this.ofModule = new Map(Array.from(modules, ([name, own]) => [name, sourcesOf(own)]));
  }

  of({ id: operation, module, path }: Called): ArgumentValues {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => snakeCase(name as string));
    const { parent, id, values, isMissing } = this.ids.get(operation) ?? {};
    const found: Record<string, unknown> = {};
    // the operations for members have no tools
    for (const [argument, sources] of this.ofTool.get(operation) ?? this.ofModule.get(module) ?? []) {
      const value = this.valueOf(operation, argument, sources);
      if (value !== undefined) found[argument] = value;
    }
    Object.assign(found, values);
    const [first] = inPath;
    const last = inPath.at(-1);
    if (first === undefined || last === undefined) return found;
    if (isMissing || isRestore(path)) {
      for (const name of inPath) delete found[name];
      return found;
    }
    const above = path.slice(0, path.lastIndexOf('/{'));
    const list = this.lists.get(withoutPlane(above));
    const listed = list === undefined ? this.partOfAny(above.slice(above.lastIndexOf('/') + 1)) : this.ids.get(list)?.id;
    if (listed !== undefined) found[last] ??= listed;
    // the record on which the operation works, or that has the parts
    const record = parent ?? id ?? (inPath.length > 1 ? this.parentOf(found[last]) : undefined);
    if (record !== undefined) found[first] = record;
    return found;
  }

  private valueOf(operation: string, argument: string, sources: readonly string[]): string | undefined {
    const [name] = argument.split('.').slice(-1) as [string];
    const subject = name === 'id' ? (argument.split('.').at(-2) ?? '') : name.replace(/_ids?$/, '');
    const own = this.ids.get(`${operation}.${argument}`);
    if (own) return own.id;
    for (const source of sources) {
      const part = this.partOf(operation, subject) ?? this.partOf(source, subject);
      const { id, next = id } = this.ids.get(source) ?? {};
      const value = part ?? (OTHER.test(name) ? next : id);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** `line_id` is the id of one of `lines`. */
  private partOf(source: string, subject: string): string | undefined {
    const parts = Object.entries(this.ids.get(source)?.parts ?? {});
    return parts.find(([member]) => `_${subject}`.endsWith(`_${member.replace(/s$/, '')}`))?.[1];
  }

  /** The members with parts of which no operation lists all, such as the attachments of messages. */
  private partOfAny(segment: string): string | undefined {
    const member = segment.replaceAll('-', '_');
    return [...this.ids.values()].find(({ parts }) => member in parts)?.parts[member];
  }

  private parentOf(part: unknown): string | undefined {
    return [...this.ids.values()].find(({ id, parent }) => id === part && parent !== undefined)?.parent;
  }
}

/** Its record is deleted, so no list has it. */
export function isRestore(path: string): boolean {
  return path.endsWith('/restore');
}

/** What such an argument names is another record than that of the call. */
const OTHER = /^(to|into)_/;

function withoutPlane(path: string): string {
  return path.replace(/^\/api\/v1\/(ext|org)\//, '').replace(/[{}]/g, '');
}
