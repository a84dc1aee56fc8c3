import { Entity, PrimaryColumn } from 'typeorm';
import { Scoped } from '../../../kit/index.js';

/** The keys of the rows of an import. Only SQL uses the table, so only its key is declared here. It is reached through the import alone. */
@Entity('lead_import_keys', { synchronize: false })
@Scoped('business')
export class LeadImportKeyRow {
  @PrimaryColumn('uuid')
  import_id: string;

  @PrimaryColumn('text')
  key: string;
}
