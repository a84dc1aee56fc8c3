import type { Ctx } from '../../../../kit/index.js';
import type { Document } from '../records/document.entity.js';

/** Whether the caller wrote the document or handed it in. What the suite made by itself is everyone's who may manage documents. */
export function isAuthor(ctx: Ctx, { created_by, submitted_by }: Document): boolean {
  const wrote = created_by.id !== null && (created_by.id === ctx.actor.id || created_by.id === ctx.memberId);
  const submitted = submitted_by !== null && submitted_by === ctx.memberId;
  return wrote || submitted || (created_by.id === null && submitted_by === null);
}
