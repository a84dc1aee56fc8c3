import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Field, Public, redirect, Visitor, type FileResponse } from '../../../kit/index.js';
import { answerPage } from './answer.page.js';
import { ANSWERS, Answers, type Answer } from './answers.service.js';

class AnswerDto {
  @Field.oneOf(ANSWERS, {
    description: 'The answer.',
    example: 'accepted',
  })
  response: Answer;
}

class AnswerPageQuery {
  @Field.oneOf(['yes'], {
    description: 'Present after an answer, which the page then confirms.',
    example: 'yes',
    required: false,
  })
  answered?: string;
}

/** The page of an invitation's link. Mail scanners follow links, so a GET changes nothing. */
@Controller('/r/:token')
export class AnswersController {
  constructor(private readonly answers: Answers) {}

  @Get()
  @Public('An invitee reads the event by the link in the mail')
  async show(@Param('token') token: string, @Query() { answered }: AnswerPageQuery): Promise<FileResponse> {
    const invitation = await this.answers.find(token);
    return answerPage(invitation, answered !== undefined && invitation.invitee.response !== 'needs_action');
  }

  @Post()
  @HttpCode(200)
  @Public('An invitee answers by the link in the mail')
  async answer(@Param('token') token: string, @Body() { response }: AnswerDto, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    await this.answers.answer(await this.answers.find(token, requestId), response);
    return redirect(`/r/${token}?answered=yes`);
  }
}
