import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Contexts, type Actor, type Ctx, type Sql } from '../../../kit/index.js';
import type { Tenant } from '../../../kit/internal.js';
import { poolOf } from '../database/pool.js';
import { renderSql, tablesOf } from '../rows/render-sql.js';
import { Values } from '../rows/sql.js';
import { CallContext } from './call-context.js';

const NONE: ReadonlySet<string> = new Set();
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/** Implements the kit's `Contexts`. */
@Injectable()
export class CallContexts extends Contexts {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {
    super();
  }

  system(tenant: Tenant): CallContext {
    return contextIn(tenant, SYSTEM, null);
  }

  systemWithin(ctx: Ctx): CallContext {
    const { requestId, organizationId, projectId, mode, owner } = ctx as CallContext;
    const within = new CallContext(requestId, organizationId, projectId, mode, SYSTEM, null, NONE, NONE);
    within.owner = owner;
    return within;
  }

  guest(tenant: Tenant, email: string | null, requestId: string | null = null): CallContext {
    return contextIn(tenant, { type: 'guest', id: null, email }, requestId);
  }

  async findAcrossTenants<R extends { organization_id: string }>(statement: Sql): Promise<R | null> {
    const values = new Values();
    const text = renderSql(statement, null, tablesOf(this.dataSource), values);
    const pool = poolOf(this.dataSource);
    const row = (await pool.query<R>(text, values.list)).rows.at(0);
    if (!row) return null;
    // a statement that forgets the column must not make a closed organization visible
    if (!row.organization_id) throw new Error('findAcrossTenants: the statement does not select organization_id');
    const closed = await pool.query('SELECT FROM organizations WHERE id = $1 AND closed_at IS NOT NULL', [row.organization_id]);
    return closed.rows.length > 0 ? null : row;
  }
}

function contextIn({ organizationId, projectId, mode }: Tenant, actor: Actor, requestId: string | null): CallContext {
  return new CallContext(requestId, organizationId, projectId, mode, actor, null, NONE, NONE);
}
