import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx } from '../../../../kit/index.js';
import { requireZones } from './check-zones.js';
import { DocumentTypeZones } from './document-type-zones.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { ZoneDto } from './zones.dto.js';

/** What a caller sees of a type's zones. */
export interface ZoneSet {
  version: number;
  zones: readonly ZoneDto[];
}

const NONE: ZoneSet = { version: 0, zones: [] };

/** The zones of types, live ones and the overlay of the test mode. */
@Injectable()
export class Zones {
  constructor(
    private readonly store: Store,
    private readonly versions: TypeVersions,
  ) {}

  async of(ctx: Ctx, typeId: string): Promise<ZoneSet> {
    await this.store.get(ctx, DocumentType, typeId);
    return (await this.seen(ctx, [typeId]))(typeId);
  }

  /** Those of several types, by type. */
  async seen(ctx: Ctx, typeIds: readonly string[]): Promise<(typeId: string) => ZoneSet> {
    const rows = await this.store.list(ctx, DocumentTypeZones, { type_id: typeIds, mode: [ctx.mode, 'live'] });
    const own = (typeId: string, mode: string) => rows.find((row) => row.type_id === typeId && row.mode === mode);
    return (typeId) => own(typeId, ctx.mode) ?? own(typeId, 'live') ?? NONE;
  }

  async replace(ctx: Ctx, typeId: string, zones: ZoneDto[]): Promise<ZoneSet> {
    const { project_id, published_version, draft } = await this.store.get(ctx, DocumentType, typeId);
    // what the whole organisation shares is read by a pinned key, but not changed
    if (ctx.projectId !== null && project_id !== ctx.projectId)
      throw CommonErrors.projectScopeMismatch({
        message: 'The type is shared by all projects, so a key that is bound to one cannot replace its zones.',
      });
    const { field_schema } = published_version === null ? draft : (await this.versions.get(ctx, typeId, published_version)).definition;
    await requireZones(zones, field_schema);
    return this.store.write(ctx, async (tx) => {
      // of the first zones there is no row yet that two who replace them could wait for
      await tx.lock(DocumentType, typeId);
      const before = (await this.seen(ctx, [typeId]))(typeId);
      if (ctx.ifMatch && !ctx.ifMatch.includes(before.version))
        throw CommonErrors.versionConflict({ param: 'If-Match', headers: { ETag: `"${before.version}"` } });
      if (before instanceof DocumentTypeZones && before.mode === ctx.mode) return tx.update(before, { zones });
      // an overlay counts on from what was seen before it, so that no ETag ever stands for two contents
      return tx.insert(DocumentTypeZones, { type_id: typeId, mode: ctx.mode, zones, version: before.version + 1 });
    });
  }
}
