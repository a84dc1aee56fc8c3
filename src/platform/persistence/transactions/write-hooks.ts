import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { BaseEntity, BeforeWriteHandler, RowWrite, Tx } from '../../../kit/index.js';
import { hookOf } from '../../../kit/internal.js';
import { ModuleRegistry } from '../../registry/module-registry.js';
import type { CallContext } from './call-context.js';

/** Writes inside of handlers that call handlers again. More than this is one that writes what it is called for. */
const DEEPEST = 8;

/** The handlers with `@BeforeWrite`, by their entities, in the order of the modules that list them. */
@Injectable()
export class WriteHooks {
  private readonly handlers = new Map<Type, Type<BeforeWriteHandler<BaseEntity>>[]>();
  private readonly depths = new WeakMap<Tx, number>();

  constructor(
    registry: ModuleRegistry,
    private readonly moduleRef: ModuleRef,
  ) {
    for (const handler of registry.manifests.flatMap(({ beforeWrite = [] }) => beforeWrite)) {
      const entity = hookOf(handler)!.entity;
      this.handlers.set(entity, [...(this.handlers.get(entity) ?? []), handler as Type<BeforeWriteHandler<BaseEntity>>]);
    }
  }

  /** Whether any handler is called; most entities have none, and their writes take no further step. */
  has(entity: Type): boolean {
    return this.handlers.has(entity);
  }

  /** Resolves with the values that are to be written. */
  async run<E extends BaseEntity>(
    ctx: CallContext,
    tx: Tx,
    entity: Type<E>,
    { kind, before, values }: RowWrite<NoInfer<E>>,
  ): Promise<Partial<E>> {
    const depth = (this.depths.get(tx) ?? 0) + 1;
    if (depth > DEEPEST) throw new Error(`A handler with @BeforeWrite(${entity.name}) causes writes of ${entity.name} that call it again.`);
    this.depths.set(tx, depth);
    try {
      const write = { kind, before, values: { ...values } };
      for (const handler of this.handlers.get(entity) ?? [])
        await this.moduleRef.get<BeforeWriteHandler<BaseEntity>>(handler, { strict: false }).beforeWrite(ctx, tx, write);
      return write.values;
    } finally {
      this.depths.set(tx, depth - 1);
    }
  }
}
