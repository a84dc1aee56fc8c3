import { Injectable } from '@nestjs/common';
import { Store, type Ctx } from '../../../../kit/index.js';
import { DocumentTypeVersion } from './document-type-version.entity.js';

const CACHE_SIZE = 1_000;

/** Published versions by type and number. They never change, so they are cached. */
@Injectable()
export class TypeVersions {
  private readonly known = new Map<string, DocumentTypeVersion>();

  constructor(private readonly store: Store) {}

  async get(ctx: Ctx, typeId: string, number: number): Promise<DocumentTypeVersion> {
    return (await this.all(ctx, [{ type_id: typeId, type_version: number }]))(typeId, number);
  }

  /** Reads the versions of several documents at once and returns a lookup. */
  async all(
    ctx: Ctx,
    wanted: readonly { type_id: string; type_version: number }[],
  ): Promise<(typeId: string, number: number) => DocumentTypeVersion> {
    // a map of its own: another caller may clear the cache before the lookup is used
    const found = new Map<string, DocumentTypeVersion>();
    const missing = wanted.filter(({ type_id, type_version }) => {
      const key = keyOf(ctx, type_id, type_version);
      const cached = this.known.get(key);
      if (cached) found.set(key, cached);
      return !cached;
    });
    if (missing.length > 0) {
      const rows = await this.store.list(ctx, DocumentTypeVersion, {
        type_id: distinct(missing.map(({ type_id }) => type_id)),
        number: distinct(missing.map(({ type_version }) => type_version)),
      });
      if (this.known.size > CACHE_SIZE) this.known.clear();
      for (const row of rows) {
        const key = keyOf(ctx, row.type_id, row.number);
        found.set(key, row);
        this.known.set(key, row);
      }
    }
    return (typeId, number) => found.get(keyOf(ctx, typeId, number)) as DocumentTypeVersion;
  }
}

function keyOf({ organizationId }: Ctx, typeId: string, number: number): string {
  return `${organizationId} ${typeId} ${number}`;
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
