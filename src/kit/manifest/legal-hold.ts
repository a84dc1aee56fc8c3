import type { Type } from '@nestjs/common';

/** Rows that must not be deleted while a legal hold lies on them. As long as there are some, their organization cannot be deleted. */
export interface LegalHold {
  /** One of the module's entities. */
  entity: Type;
  /** An SQL condition over the columns of the table: which rows are held, such as `legal_hold IS NOT NULL`. */
  where: string;
  /** What they are, in plural, for example `documents`. */
  title: string;
}
