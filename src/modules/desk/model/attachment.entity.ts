import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { BusinessEntity, ObjectColumn } from '../../../kit/index.js';
import { TicketMessage } from './message.entity.js';

/**
 * An attachment of a message, or a file that was uploaded for one. The sender chose its name and media type, so never trust them when
 * serving it.
 */
@Entity('desk_attachments')
@ForeignKey(() => TicketMessage, ['organization_id', 'project_id', 'mode', 'message_id'], ['organization_id', 'project_id', 'mode', 'id'], {
  name: 'desk_attachments_message_id_fkey',
  onDelete: 'CASCADE',
})
@Index('desk_attachments_message_id_idx', ['message_id', 'id'])
@Index('desk_attachments_unused_idx', ['created_at'], { where: 'message_id IS NULL' })
@ForeignKey('objects', ['organization_id', 'content_object_id'], ['organization_id', 'id'], {
  name: 'desk_attachments_content_object_id_fkey',
})
@Index('desk_attachments_content_object_id_idx', ['content_object_id'], { where: 'content_object_id IS NOT NULL' })
@Check('desk_attachments_mode_check', `mode IN ('live', 'test')`)
@Check('desk_attachments_file_name_check', 'length(file_name) BETWEEN 1 AND 255')
@Check('desk_attachments_media_type_check', 'length(media_type) BETWEEN 3 AND 255')
@Check('desk_attachments_size_bytes_check', 'size_bytes >= 0')
export class Attachment extends BusinessEntity {
  /** Null until a message uses the upload. */
  @Column('uuid', { nullable: true })
  message_id: string | null;

  @Column('text')
  file_name: string;

  /** `type/subtype` in lower case. */
  @Column('text')
  media_type: string;

  @Column('integer')
  size_bytes: number;

  @ObjectColumn()
  content_object_id: string | null;

  /** Of rows from before objects were introduced. Read by SQL, where it is needed. */
  @Column('bytea', {
    nullable: true,
    select: false,
  })
  content: Buffer | null;
}
