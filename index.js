const { n8n } = require('./package.json');

// Exactly the classes that n8n loads, from the same list that n8n reads.
module.exports = Object.assign(
	{},
	...[...n8n.credentials, ...n8n.nodes].map((file) => require(`./${file}`)),
);
