import { Controller, Param, Post } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Endpoint, Field, Public, Upload, Uploaded, Visitor } from '../../../kit/index.js';
import { ReceivedMails } from './received-mails.service.js';

const LARGEST_MAIL = 10 * 1024 * 1024;

export class ReceivedMailDto {
  @Field.constant('received_mail')
  object: string;

  @Field.string({
    description: 'Its Message-ID, or one made from its content if it has none.',
    example: '<CAF1@mail.example.com>',
  })
  message_id: string;

  @Field.boolean({
    description:
      'Whether the mailbox already received the same mail, apart from headers that servers add, and it became a ticket or a message ' +
      'or is about to. If so, nothing happens.',
    example: false,
  })
  repeated: boolean;
}

/** The endpoint to which the organization's mail server posts mails. The secret address identifies the mailbox. */
@Controller('/api/v1/public/desk/mail')
export class MailGatewayController {
  constructor(private readonly mails: ReceivedMails) {}

  @Post(':token')
  @Public("The organization's mail gateway delivers with the token of a mailbox", {
    bodyLimit: LARGEST_MAIL,
    secrets: true,
  })
  @ApiParam({
    name: 'token',
    description: 'Token of the mailbox, which is shown once when a member creates or renews it.',
    schema: { type: 'string', maxLength: 100, example: 'x'.repeat(43) },
  })
  @Endpoint({
    operation: 'receive_desk_mail',
    summary: 'Deliver a mail to a mailbox of the service desk',
    description:
      'The mail as it was received, with all headers. It becomes a ticket or a message of a ticket a moment later. Each mail is read ' +
      'once, so a delivery can be repeated; repeat it after any response but 202. Other mails with the same Message-ID are also read.',
    status: 202,
    returns: ReceivedMailDto,
    upload: {
      'message/rfc822': {
        type: 'string',
        format: 'binary',
        description: 'A mail by RFC 5322, at most 10 MiB.',
        example:
          'From: Ada <ada@example.com>\r\nTo: support@example.com\r\nSubject: Printer\r\nMessage-ID: <1@example.com>\r\n\r\nIt burns.',
      },
    },
    bodyLimit: LARGEST_MAIL,
  })
  async receive(@Param('token') token: string, @Uploaded() { bytes }: Upload, @Visitor() { requestId }: Visitor): Promise<ReceivedMailDto> {
    return { object: 'received_mail', ...(await this.mails.receive(token, bytes, requestId)) };
  }
}
