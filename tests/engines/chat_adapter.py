"""An adapter of the exec protocol that renders chat templates, in one of several ways that its argument says."""

import json
import sys

how = sys.argv[1]


def rendering(question):
    content = question["messages"][0]["content"]
    if how == "number":
        return {"prompt": 1}
    if content == "raise":
        return {"raised": "no such role"}
    if "documents" in question:
        return {"unsupported": "no documents"}
    return {"prompt": question["tokens"].get("bos_token", "") + content + json.dumps(question.get("extra", {}))}


for line in sys.stdin:
    request = json.loads(line)
    reply = {"id": request.get("id")}
    if request["op"] == "hello":
        reply |= {"name": "chat", "version": "7", "capabilities": {} if how == "silent" else {"renders": True}}
    elif request["op"] == "render":
        reply["prompts"] = [rendering(question) for question in request["questions"]]
    elif request["op"] == "bye":
        break
    print(json.dumps(reply), flush=True)
