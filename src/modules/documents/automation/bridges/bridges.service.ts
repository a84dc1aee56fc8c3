import { Injectable } from '@nestjs/common';
import { CommonErrors, DomainError, sql, Store, type Ctx, type ErrorDetail, type Page, type Tx } from '../../../../kit/index.js';
import { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { BridgeTargets, isTargetField, mapFaults, targetFields } from './bridge-targets.js';
import type { BridgeRunsQuery, BridgesQuery, CreateBridgeDto, UpdateBridgeDto } from './bridges.dto.js';
import { IntakeBridge, type BridgeTarget } from './intake-bridge.entity.js';
import { IntakeForm } from '../forms/intake-form.entity.js';
import { sourceMapProblems, type SourceMap } from '../mapping/source-map.js';

/** Manages the bridges of forms. */
@Injectable()
export class BridgesService {
  constructor(
    private readonly store: Store,
    private readonly targets: BridgeTargets,
  ) {}

  async page(ctx: Ctx, formId: string, query: BridgesQuery): Promise<Page<IntakeBridge>> {
    await this.store.get(ctx, IntakeForm, formId);
    return this.store.page(ctx, IntakeBridge, query, { form_id: formId });
  }

  async runs(ctx: Ctx, formId: string, query: BridgeRunsQuery): Promise<Page<AuditEntry>> {
    await this.store.get(ctx, IntakeForm, formId);
    return this.store.page(ctx, AuditEntry, query, sql`t.action = 'papers.intake_bridge' AND t.detail ->> 'form_id' = ${formId}`);
  }

  create(ctx: Ctx, formId: string, { name, target, field_map, active = true }: CreateBridgeDto): Promise<IntakeBridge> {
    return this.store.write(ctx, async (tx) => {
      const form = await tx.get(IntakeForm, formId);
      await this.requireMap(ctx, tx, form, target, field_map);
      return tx.insert(IntakeBridge, { form_id: form.id, project_id: form.project_id, name, target, field_map, active });
    });
  }

  update(ctx: Ctx, formId: string, id: string, { field_map, ...body }: UpdateBridgeDto): Promise<IntakeBridge> {
    return this.store.write(ctx, async (tx) => {
      const bridge = await tx.target(IntakeBridge, id);
      if (bridge.form_id !== formId) throw CommonErrors.notFound();
      if (field_map === undefined) return tx.update(bridge, body);
      const merged = Object.fromEntries(Object.entries({ ...bridge.field_map, ...field_map }).filter(([, source]) => source !== null));
      await this.requireMap(ctx, tx, await tx.get(IntakeForm, formId), bridge.target, merged);
      return tx.update(bridge, { ...body, field_map: merged });
    });
  }

  delete(ctx: Ctx, formId: string, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const bridge = await tx.target(IntakeBridge, id);
      if (bridge.form_id !== formId) throw CommonErrors.notFound();
      await tx.delete(bridge);
    });
  }

  /** Rejects a map that could never create a record. */
  private async requireMap(ctx: Ctx, tx: Tx, { fields, project_id }: IntakeForm, target: BridgeTarget, map: SourceMap): Promise<void> {
    this.targets.requireOffered(target);
    const details = sourceMapProblems(map, 'field_map', (name) => isTargetField(target, name), targetFields(target));
    if (details.length === 0) details.push(...mapFaults(target, map, fields));
    if (details.length === 0) details.push(...(await this.refusals(ctx, tx, target, map, project_id as string)));
    if (details.length > 0)
      throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
  }

  private async refusals(ctx: Ctx, tx: Tx, target: BridgeTarget, map: SourceMap, projectId: string): Promise<ErrorDetail[]> {
    try {
      await this.targets.requireAcceptable(ctx, tx, target, map, projectId);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      const { param = '', allowed } = error.occurrence;
      const message = param !== '' && error.message.startsWith(param) ? `field_map.${error.message}` : `field_map: ${error.message}`;
      return [{ param: Object.hasOwn(map, param) ? `field_map.${param}` : 'field_map', code: 'invalid_value', message, allowed }];
    }
  }
}
