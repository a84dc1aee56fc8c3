import type { ModuleContext } from './module-context.js';
import type { Elsewhere } from './module-rows.js';

/** Reads until no job changes rows. */
const MOST_ATTEMPTS = 5;

/** Finds the writes that change rows which their caller must not see. */
export class UnchangedRows {
  private constructor(
    private readonly read: () => Promise<Map<string, string>>,
    private latest: Map<string, string>,
  ) {}

  /** Begins with the rows that are hidden from the viewer of a location. */
  static async of(world: ModuleContext, location: Elsewhere): Promise<UnchangedRows> {
    const organizations = (['own', 'another organization'] as const).map((one) => world.location(one).workspace.organizationId);
    const tables = world.tables.filter((table) => ![...world.requestLogs, ...world.changedByJobs].includes(table));
    const read = () => world.places.contents(tables, organizations, world.viewer(location));
    let latest = await read();
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const earlier = latest;
      latest = await read();
      if (changesOf(earlier, latest).length === 0) break;
    }
    return new UnchangedRows(read, latest);
  }

  /** The faults of a write since the last call. */
  async after(operation: string): Promise<string[]> {
    const before = this.latest;
    this.latest = await this.read();
    return changesOf(before, this.latest).map((table) => `${operation} changes rows elsewhere, of ${table}`);
  }
}

/** The tables of rows that changed or are gone. */
function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const changed = [...before].filter(([row, content]) => after.get(row) !== content);
  return [...new Set(changed.map(([row]) => row.split(' ')[0]))];
}
