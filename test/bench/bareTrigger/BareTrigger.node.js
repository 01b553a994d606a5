// The least a trigger of the community can do: it passes on what came, or reads a secret before
// that. What any such trigger reaches is at most what this one reaches.

class BareTrigger {
	description = {
		displayName: 'Bare Trigger',
		name: 'bareTrigger',
		group: ['trigger'],
		version: 2,
		description: 'Starts the workflow on each request',
		defaults: { name: 'Bare Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [
			{
				name: 'visitorServiceApi',
				required: true,
				displayOptions: { show: { readsSecret: [true] } },
			},
		],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [
			{ displayName: 'Reads Secret', name: 'readsSecret', type: 'boolean', default: false },
		],
	};

	async webhook() {
		if (this.getNodeParameter('readsSecret')) await this.getCredentials('visitorServiceApi');
		return { workflowData: [[{ json: { body: this.getBodyData() } }]] };
	}
}

module.exports = { BareTrigger };
