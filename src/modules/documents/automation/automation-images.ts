import { Injectable } from '@nestjs/common';
import { own, sql, table, type Sql } from '../../../kit/index.js';
import { ImageUses } from '../workflow/images/image-uses.js';
import { BulkSendRow } from './bulk/bulk-send.entity.js';
import { IntakeForm } from './forms/intake-form.entity.js';
import { GenerationTrigger } from './triggers/generation-trigger.entity.js';

/** Pictures that documents will print: constants of triggers, defaults of forms, and values of rows that were not sent yet. */
@Injectable()
export class AutomationImages implements ImageUses {
  isNamed(reference: string): Sql {
    return sql`EXISTS (SELECT FROM ${table(GenerationTrigger)} g WHERE ${own('g')} AND position(${reference} in g.source_map::text) > 0)
        OR EXISTS (SELECT FROM ${table(IntakeForm)} f WHERE ${own('f')} AND position(${reference} in f.fields::text) > 0)
        OR EXISTS (SELECT FROM ${table(BulkSendRow)} b
          WHERE ${own('b')} AND b.status = 'pending' AND position(${reference} in b.data_values::text) > 0)`;
  }
}
