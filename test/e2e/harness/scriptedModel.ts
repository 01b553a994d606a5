import { array, type JsonObject, object, string } from '../../n8n/responseShape';
import { type LoopbackResponse, type LoopbackServer, startLoopbackServer } from './loopbackServer';

/** What the model says next: that a tool is to be called, or its reply. */
export type Turn = { tool: string; toolArguments: JsonObject } | { reply: string };

export interface ScriptedModel extends LoopbackServer {
	/** The tools n8n offered with its last request, by name. */
	tools(): Map<string, { description: string; parameters: JsonObject }>;
}

/**
 * A language model that follows a script, behind the part of OpenAI's interface that n8n's chat
 * model node calls.
 *
 * @param script gets what the tools have returned so far
 */
export async function startScriptedModel(
	script: (toolResults: string[]) => Turn,
): Promise<ScriptedModel> {
	const server = await startLoopbackServer(({ path, body }) => {
		if (!path.endsWith('/chat/completions')) return { status: 404, body: '{}' };
		const { messages, stream } = object(body, 'A request to the model');
		const toolResults = array(messages, 'The messages')
			.map((message) => object(message, 'A message'))
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		return completion(script(toolResults), toolResults.length, stream === true);
	});
	return {
		...server,
		tools: () => {
			const { tools } = object(server.requests.at(-1)?.body, 'The last request to the model');
			return new Map(
				array(tools, 'The tools').map((tool) => {
					const offered = object(object(tool, 'A tool').function, 'A function');
					return [
						string(offered.name, 'The name of a tool'),
						{
							description: string(offered.description, 'The description of a tool'),
							parameters: object(offered.parameters, 'The parameters of a tool'),
						},
					];
				}),
			);
		},
	};
}

function completion(turn: Turn, number: number, stream: boolean): LoopbackResponse {
	const isCall = 'tool' in turn;
	const toolCalls = isCall && [
		{
			index: 0,
			id: `call-${number}`,
			type: 'function',
			function: { name: turn.tool, arguments: JSON.stringify(turn.toolArguments) },
		},
	];
	const message = {
		role: 'assistant',
		content: isCall ? null : turn.reply,
		...(toolCalls && { tool_calls: toolCalls }),
	};
	const common = { id: `completion-${number}`, created: 0, model: 'scripted' };
	const reason = isCall ? 'tool_calls' : 'stop';
	if (!stream) {
		return {
			body: JSON.stringify({
				...common,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason: reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		};
	}
	const chunk = (delta: JsonObject, finishReason: string | null) =>
		`data: ${JSON.stringify({
			...common,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, delta, finish_reason: finishReason }],
		})}\n\n`;
	return {
		contentType: 'text/event-stream',
		body: `${chunk(message, null)}${chunk({}, reason)}data: [DONE]\n\n`,
	};
}
