import { Column } from 'typeorm';
import { BaseEntity } from '../../../kit/index.js';

/** The columns that all rows of configuration share; each table is that of one project, for both modes. */
export abstract class Configured extends BaseEntity {
  @Column('uuid')
  project_id: string;
}
