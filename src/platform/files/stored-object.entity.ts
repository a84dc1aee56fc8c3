import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TimeColumn } from '../../kit/index.js';
import { Organization } from '../people/model/organization.entity.js';

/** The content of files of an organization: once, however many rows refer to it. It never changes, only where it is. */
@Entity('objects')
@ForeignKey(() => Organization, ['organization_id'], ['id'], { name: 'objects_organization_id_fkey' })
@Unique('objects_reference_key', ['organization_id', 'id'])
@Unique('objects_sha256_key', ['organization_id', 'sha256'])
@Index('objects_collect_at_idx', ['collect_at'], { where: 'collect_at IS NOT NULL' })
@Index('objects_to_move_idx', ['id'], { where: 'bytes IS NOT NULL' })
@Check('objects_place_check', '(location IS NULL) = (key IS NULL) AND (bytes IS NOT NULL OR key IS NOT NULL)')
@Check('objects_size_check', 'size >= 0')
export class StoredObject {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organization_id: string;

  /** Hexadecimal. */
  @Column('text')
  sha256: string;

  @Column('integer')
  size: number;

  /** The content. Null only once a storage has it, which was read back and compared with its hash. */
  @Column('bytea', { nullable: true })
  bytes: Buffer | null;

  /** The storage that may have it: set before the content is sent, so that none is forgotten there. */
  @Column('text', { nullable: true })
  location: string | null;

  /** Its name in that storage. Never used again for another object, nor for this one after a removal. */
  @Column('text', { nullable: true })
  key: string | null;

  /** When a row began or ceased to refer to it. Some time later it is deleted if none does; null when one was found that does. */
  @TimeColumn({
    nullable: true,
    default: () => 'now()',
  })
  collect_at: Date | null;

  @TimeColumn({ default: () => 'now()' })
  created_at: Date;
}

/** What is to be deleted in a storage, because its object is gone or was moved to PostgreSQL. A trigger writes it. */
@Entity('object_removals')
@Index('object_removals_created_at_idx', ['created_at'])
export class ObjectRemoval {
  @PrimaryColumn('text')
  location: string;

  @PrimaryColumn('text')
  key: string;

  @TimeColumn({ default: () => 'now()' })
  created_at: Date;
}
