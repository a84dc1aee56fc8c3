import { Injectable } from '@nestjs/common';
import { CommonErrors, Store, type Ctx } from '../../../../kit/index.js';
import { requireZones } from './check-zones.js';
import { DocumentTypeZones } from './document-type-zones.entity.js';
import { DocumentType } from '../../model/types/document-type.entity.js';
import { TypeVersions } from '../../model/types/type-versions.js';
import type { ZoneDto } from './zones.dto.js';

/** A type's zones as a caller sees them. */
export interface ZoneSet {
  version: number;
  zones: readonly ZoneDto[];
}

const NONE: ZoneSet = { version: 0, zones: [] };

/** The zones of types: live ones, and the overlay of the test mode. */
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

  /** The zones of several types, by type. */
  async seen(ctx: Ctx, typeIds: readonly string[]): Promise<(typeId: string) => ZoneSet> {
    const rows = await this.store.list(ctx, DocumentTypeZones, { type_id: typeIds, mode: [ctx.mode, 'live'] });
    const own = (typeId: string, mode: string) => rows.find((row) => row.type_id === typeId && row.mode === mode);
    return (typeId) => own(typeId, ctx.mode) ?? own(typeId, 'live') ?? NONE;
  }

  async replace(ctx: Ctx, typeId: string, zones: ZoneDto[]): Promise<ZoneSet> {
    const { project_id, published_version, draft } = await this.store.get(ctx, DocumentType, typeId);
    // a pinned key may read what the whole organization shares, but not change it
    if (ctx.projectId !== null && project_id !== ctx.projectId)
      throw CommonErrors.projectScopeMismatch({
        message: 'All projects share the type, so a key that is bound to a project cannot replace its zones.',
      });
    const { field_schema } = published_version === null ? draft : (await this.versions.get(ctx, typeId, published_version)).definition;
    await requireZones(zones, field_schema);
    return this.store.write(ctx, async (tx) => {
      // the first zones have no row to lock yet
      await tx.lock(DocumentType, typeId);
      const before = (await this.seen(ctx, [typeId]))(typeId);
      if (ctx.ifMatch && !ctx.ifMatch.includes(before.version))
        throw CommonErrors.versionConflict({ param: 'If-Match', headers: { ETag: `"${before.version}"` } });
      if (before instanceof DocumentTypeZones && before.mode === ctx.mode) return tx.update(before, { zones });
      // an overlay continues the version of the live zones, so that no ETag refers to two contents
      return tx.insert(DocumentTypeZones, { type_id: typeId, mode: ctx.mode, zones, version: before.version + 1 });
    });
  }
}
