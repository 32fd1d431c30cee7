"""The real client: reads lines of JSON, prints a line of JSON for each.

{"set": {UUID: {property: value}}} changes tasks, {"sync": [url, client, secret]} synchronizes, {"all": [property]} lists."""
import json, sys
import taskchampion

replica = taskchampion.Replica.new_on_disk(sys.argv[1], True)
for line in sys.stdin:
    command = json.loads(line)
    try:
        if "set" in command:
            operations = taskchampion.Operations()
            known = replica.all_task_data()
            for uuid, properties in command["set"].items():
                task = known.get(uuid) or taskchampion.TaskData.create(uuid, operations)
                if properties is None:
                    task.delete(operations)
                    continue
                for name, value in properties.items(): task.update(name, value, operations)
            replica.commit_operations(operations)
            answer = {}
        elif "sync" in command:
            url, client, secret = command["sync"]
            replica.sync_to_remote(url, client, secret, False)
            answer = {}
        else:
            answer = {uuid: {name: task.get(name) for name in command["all"] if task.has(name)}
                      for uuid, task in replica.all_task_data().items()}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
